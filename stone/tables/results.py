"""Tables of the metrics: main results, further models, unmarked code, weightings of STEM."""

import pandas as pd

from stone.display import METHOD_NAMES
from stone.evaluation import PARTS, WEIGHTS, rivals, wide
from stone.metrics import stem
from stone.tables.estimates import SETTING, estimates, named
from stone.tables.paper import beside

_PARTS = {"pass@1": "pass@1", "pass@5": "pass@5", "correctness": "Correctness", "auroc": "Detectability",
          "imperceptibility": "Imperceptibility"}  # fmt: skip
_RATES = {"tpr@1": "TPR at 1 % FPR", "tpr@5": "TPR at 5 % FPR"}
_SYMBOLS = {"equal": "1/3, 1/3, 1/3", "correctness": "1/2, 1/4, 1/4", "detectability": "1/4, 1/2, 1/4",
            "imperceptibility": "1/4, 1/4, 1/2"}  # fmt: skip


def main(metrics: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Correctness (also pass@1 and pass@5), detectability, imperceptibility and STEM of every method, with 95 % intervals (paper, tables of
    the main results). printed : the paper's, as in all functions here (`stone.tables.read_paper`)."""
    frame = estimates(metrics[metrics.method != "none"], _PARTS | {"stem": "STEM"} | _RATES, [*SETTING, "method"])
    return named(beside(frame, printed))


def further_models(metrics: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """The same of every model but the first, with STEM under the four weightings (paper, appendix on Llama-3.1-8B). No row where the
    experiment has one model."""
    chosen = metrics[(metrics.model != metrics.model.iloc[0]) & (metrics.method != "none")]
    frame = estimates(chosen, _PARTS, [*SETTING, "method"])
    for name, weights in WEIGHTS.items():
        columns = (frame.get(_PARTS[part], []) for part in PARTS)
        frame[f"STEM, {name}"] = [stem(c, d, i, weights) for c, d, i in zip(*columns, strict=True)]
    return named(beside(frame, printed))


def unmarked(metrics: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Correctness of marked and unmarked code (paper, comparison with non-watermarked code)."""
    titles = {metric: _PARTS[metric] for metric in ("pass@1", "pass@5", "correctness")}
    return named(beside(estimates(metrics, titles, ["model", "dataset", "method", "gamma", "delta"]), printed))


def stem_weights(metrics: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """STEM of every method under the paper's four weightings; a post-hoc method stands beside each gamma and delta."""
    rows = []
    for keys, group in rivals(wide(metrics)):
        for name, weights in WEIGHTS.items():
            scores = {METHOD_NAMES[r.method]: stem(r.correctness, r.auroc, r.imperceptibility, weights) for r in group.itertuples()}
            rows.append({**dict(zip(SETTING, keys, strict=True)), "weights": name, "α, β, ζ": _SYMBOLS[name], **scores})
    return named(beside(pd.DataFrame(rows), printed))


def stem_grid_shares(grid: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Share of the 66 weightings at which a method is first, alone or tied (paper, appendix on the grid)."""
    rows = []
    for keys, group in grid.groupby([*SETTING, "method"], sort=False, dropna=False):
        alone, tied = (group["first"] & ~group.tied).mean(), group.tied.mean()
        rows.append((*keys, len(group), alone, tied, alone + tied))
    columns = [*SETTING, "method", "Weightings", "First alone", "First tied", "First"]
    return named(beside(pd.DataFrame(rows, columns=columns), printed))
