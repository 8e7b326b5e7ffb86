"""From verdicts, detections and perplexities to the metrics frame (one row per model, dataset, cell and metric) and the STEM grid."""

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np
import pandas as pd

from stone.experiment import NONE
from stone.methods import METHODS
from stone.metrics import Estimate, bootstrap, imperceptibility, pass_at_k, stem, stem_grid, tpr_at_fpr

WEIGHTS = {"equal": (1 / 3, 1 / 3, 1 / 3), "correctness": (0.5, 0.25, 0.25), "detectability": (0.25, 0.5, 0.25),
           "imperceptibility": (0.25, 0.25, 0.5)}  # fmt: skip
PARTS = ("correctness", "auroc", "imperceptibility")


def of_cell(frame: pd.DataFrame, cell) -> pd.DataFrame:
    """The rows of a cell by columns method, gamma, delta; a gamma or delta that the cell has not is missing in its rows too."""
    mine = frame.method == cell.method
    for name in ("gamma", "delta"):
        value = getattr(cell, name)
        mine &= frame[name].isna() if value is None else frame[name] == value
    return frame[mine]


def by_problem(frame: pd.DataFrame, column: str) -> np.ndarray:
    """Values [problems, samples] in the order of task ids."""
    return frame.sort_values(["task_id", "sample"])[column].to_numpy().reshape(frame.task_id.nunique(), -1)


def correctness_metrics(passed: np.ndarray, resamples: int, seed: int) -> dict[str, Estimate]:
    """pass@1, pass@5 (where there are five samples) and their mean, the paper's Correctness. passed: bool [problems, samples]."""
    n = passed.shape[1]
    per_problem = {f"pass@{k}": np.array([pass_at_k(n, int(c), k) for c in passed.sum(axis=1)]) for k in (1, 5) if k <= n}
    per_problem["correctness"] = np.mean(list(per_problem.values()), axis=0)
    return {k: _bootstrap_mean(v, resamples, seed) for k, v in per_problem.items()}


def _bootstrap_mean(values: np.ndarray, resamples: int, seed: int) -> Estimate:
    return bootstrap(lambda chosen: values[chosen].mean(), len(values), resamples, seed)


def win_rates(marked: np.ndarray, human: np.ndarray) -> np.ndarray:
    """Share of problem i's marked scores above problem j's human score, ties half: [problems, problems]. The mean over resampled
    problems is the AUROC of the resample, without sorting again."""
    difference = marked[:, :, None] - human[None, None, :]
    return ((difference > 0) + 0.5 * (difference == 0)).mean(axis=1)


def detection_metrics(marked: np.ndarray, human: np.ndarray, resamples: int, seed: int) -> dict[str, Estimate]:
    """AUROC and TPR at 1 % and 5 % FPR of marked z [problems, samples] against human z [problems], problems resampled together."""
    wins = win_rates(marked, human)
    statistics = {
        "auroc": lambda i: wins[np.ix_(i, i)].mean(),
        "tpr@1": lambda i: tpr_at_fpr(marked[i].ravel(), human[i], 0.01),
        "tpr@5": lambda i: tpr_at_fpr(marked[i].ravel(), human[i], 0.05),
    }
    return {k: bootstrap(f, len(human), resamples, seed) for k, f in statistics.items()}


def quality_metrics(marked: np.ndarray, plain: np.ndarray, resamples: int, seed: int) -> dict[str, Estimate]:
    """Mean perplexity and imperceptibility of marked against unmarked perplexities, both [problems, samples]."""
    return {
        "perplexity": bootstrap(lambda i: marked[i].mean(), len(marked), resamples, seed),
        "imperceptibility": bootstrap(lambda i: imperceptibility(marked[i].mean(), plain[i].mean()), len(marked), resamples, seed),
    }


def stem_metric(passed, marked_z, human_z, marked_ppl, plain_ppl, resamples: int, seed: int) -> Estimate:
    """STEM at equal weights, all three parts on the same resampled problems."""
    n = passed.shape[1]
    wins = win_rates(marked_z, human_z)
    right = np.mean([[pass_at_k(n, int(c), k) for c in passed.sum(axis=1)] for k in (1, 5) if k <= n], axis=0)

    def value(i: np.ndarray) -> float:
        return stem(right[i].mean(), wins[np.ix_(i, i)].mean(), imperceptibility(marked_ppl[i].mean(), plain_ppl[i].mean()))

    return bootstrap(value, len(human_z), resamples, seed)


def metrics_rows(
    cells, verdicts: pd.DataFrame, detections: pd.DataFrame, perplexities: pd.DataFrame, resamples: int = 500, seed: int = 0
) -> pd.DataFrame:
    """Metrics of one model on one dataset: columns method, gamma, delta, metric, value, low, high, n.

    cells : marked cells. verdicts, perplexities : by text cell name (column `cell`); detections : columns method, gamma, delta, source,
    task_id, sample, z.
    """
    passed = {name: by_problem(f.assign(passed=f.status == "passed"), "passed") for name, f in verdicts.groupby("cell")}
    ppl = {name: by_problem(f, "perplexity") for name, f in perplexities.groupby("cell")}
    rows = []

    def add(cell, estimates: Mapping[str, Estimate]) -> None:
        for metric, e in estimates.items():
            rows.append((*cell.setting.values(), metric, e.value, e.low, e.high, e.n))

    none = bootstrap(lambda i: ppl["none"][i].mean(), len(ppl["none"]), resamples, seed)
    add(NONE, correctness_metrics(passed["none"], resamples, seed) | {"perplexity": none})
    for cell in cells:
        mine = of_cell(detections, cell)
        marked, human = by_problem(mine[mine.source == "marked"], "z"), by_problem(mine[mine.source == "human"], "z")[:, 0]
        text = cell.text.name
        add(cell, {
            **correctness_metrics(passed[text], resamples, seed),
            **detection_metrics(marked, human, resamples, seed),
            **quality_metrics(ppl[text], ppl["none"], resamples, seed),
            "stem": stem_metric(passed[text], marked, human, ppl[text], ppl["none"], resamples, seed),
        })  # fmt: skip
    return pd.DataFrame(rows, columns=["method", "gamma", "delta", "metric", "value", "low", "high", "n"])


def paired_rows(
    cells, verdicts: pd.DataFrame, detections: pd.DataFrame, reference: str = "stone", resamples: int = 500, seed: int = 0
) -> pd.DataFrame:
    """Every method less the reference method at the same gamma and delta (a post-hoc method: at each), on the same resampled problems:
    columns method, gamma, delta, metric ("pass@1" or "auroc"), value, low, high, n. Empty where the reference is not among the cells."""
    passed = {
        name: by_problem(f.assign(passed=f.status == "passed"), "passed").mean(axis=1) for name, f in verdicts.groupby("cell")
    }

    def wins(cell) -> np.ndarray:
        mine = of_cell(detections, cell)
        return win_rates(by_problem(mine[mine.source == "marked"], "z"), by_problem(mine[mine.source == "human"], "z")[:, 0])

    frames = []
    pairs = [(c, b) for c in cells for b in cells if b.method == reference != c.method and (c.gamma is None or c.point == b.point)]
    for cell, base in pairs:
        right = passed[cell.text.name] - passed[base.text.name]
        found = paired_estimates(right, wins(cell) - wins(base), resamples, seed)
        frames.append(found.assign(method=cell.method, gamma=base.gamma, delta=base.delta))
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=["method"])


def paired_estimates(right: np.ndarray, wins: np.ndarray, resamples: int, seed: int) -> pd.DataFrame:
    """Two methods' difference in pass@1 and AUROC: columns metric, value, low, high, n.

    right : difference of the shares of passing samples [problems]; wins : difference of `win_rates` [problems, problems].
    """
    found = {
        "pass@1": _bootstrap_mean(right, resamples, seed),
        "auroc": bootstrap(lambda i: wins[np.ix_(i, i)].mean(), len(wins), resamples, seed),
    }
    rows = [(metric, e.value, e.low, e.high, e.n) for metric, e in found.items()]
    return pd.DataFrame(rows, columns=["metric", "value", "low", "high", "n"])


def green_shares(detections: pd.DataFrame, resamples: int = 500, seed: int = 0) -> pd.DataFrame:
    """Share of green tokens among the scored ones of marked texts, with its 95 % interval over problems.

    detections : columns model, dataset, method, gamma, delta, source, task_id, scored, green, tokens. Methods that weigh their tokens
    are left out: their score is no count. Columns model, dataset, method, gamma, delta, value, low, high, n, and scored: the share of
    tokens that count.
    """
    keys = ["model", "dataset", "method", "gamma", "delta"]
    counted = [name for name, method in METHODS.items() if method.reads != "spike"]
    rows = []
    marked = detections[(detections.source == "marked") & detections.method.isin(counted)]
    for names, group in marked.groupby(keys, sort=False):
        sums = group.groupby("task_id")[["green", "scored"]].sum().to_numpy()
        share = bootstrap(partial(_green_share, sums), len(sums), resamples, seed)
        rows.append((*names, share.value, share.low, share.high, share.n, group.scored.sum() / group.tokens.sum()))
    return pd.DataFrame(rows, columns=[*keys, "value", "low", "high", "n", "scored"])


def _green_share(sums: np.ndarray, problems: np.ndarray) -> float:
    green, scored = sums[problems].sum(axis=0)
    return green / scored


def wide(metrics: pd.DataFrame, metric_names=PARTS) -> pd.DataFrame:
    """One row per model, dataset, method, gamma, delta with a column per metric; unmarked rows are left out."""
    keys = ["model", "dataset", "method", "gamma", "delta"]
    chosen = metrics[metrics.metric.isin(metric_names) & (metrics.method != "none")]
    rows = [
        {**dict(zip(keys, names, strict=True)), **dict(zip(group.metric, group.value, strict=True))}
        for names, group in chosen.groupby(keys, sort=False, dropna=False)
    ]
    return pd.DataFrame(rows, columns=[*keys, *metric_names])


def rivals(methods: pd.DataFrame) -> Iterator[tuple[tuple, pd.DataFrame]]:
    """The rows of `wide` that are compared with each other, by model, dataset, gamma and delta. A post-hoc method, which has no gamma and
    delta, is compared at each setting; among post-hoc methods alone both are missing."""
    for where, group in methods.groupby(["model", "dataset"], sort=False):
        settings, posthoc = group[group.gamma.notna()], group[group.gamma.isna()]
        for point, same in settings.groupby(["gamma", "delta"], sort=False):
            yield (*where, *point), pd.concat([same, posthoc], ignore_index=True)
        if settings.empty:
            yield (*where, np.nan, np.nan), posthoc


def grid_frame(metrics: pd.DataFrame) -> pd.DataFrame:
    """The 66-point STEM grid of every model, dataset, gamma and delta: alpha, beta, zeta, method, stem, first, tied.

    A setting of one method alone (CodeIP's delta) has nobody to be compared with, and no grid.
    """
    rows = []
    for keys, group in rivals(wide(metrics)):
        scores = {r.method: tuple(getattr(r, p) for p in PARTS) for r in group.itertuples()}
        for point in stem_grid(scores) if len(scores) > 1 else ():
            for method, value in point.scores.items():
                first = method in point.winners
                rows.append((*keys, *point.weights, method, value, first, first and len(point.winners) > 1))
    columns = ["model", "dataset", "gamma", "delta", "alpha", "beta", "zeta", "method", "stem", "first", "tied"]
    return pd.DataFrame(rows, columns=columns)
