"""The paper's tables from tidy frames, written as csv, Markdown and booktabs LaTeX."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from stone.datasets import Problem
from stone.display import CATEGORY_NAMES, DATASET_NAMES, METHOD_NAMES
from stone.evaluation import PARTS, WEIGHTS, rivals, wide
from stone.metrics import stem
from stone.records import write_text
from stone.syntax import LANGUAGES, SYNTAX_ELEMENTS

_PART_NAMES = {"correctness": "Correctness", "auroc": "Detectability", "imperceptibility": "Imperceptibility", "stem": "STEM"}
SETTING = ["model", "dataset", "gamma", "delta"]


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Display names of datasets and methods, capitalised headings."""
    named = frame.assign(dataset=frame.dataset.map(DATASET_NAMES))
    if "method" in named:
        named["method"] = named.method.map(METHOD_NAMES)
    return named.rename(columns={c: c.capitalize() for c in ("model", "dataset", "method")} | _PART_NAMES)


def data_statistics(
    problems: Mapping[str, Sequence[Problem]], tokenizers: Mapping[str, Any], versions: Mapping[str, str], printed: pd.DataFrame
) -> pd.DataFrame:
    """Problems, tests and tokens of human solutions per dataset and tokenizer (paper, table of data statistics); std with n - 1.

    Tests are counted where they are inputs; tests that are source text can't be counted (shown as missing). printed : the paper's rows
    (config/published/data_statistics.csv), shown below ours.
    """
    rows = []
    for (name, group), (model, tokenizer) in product(problems.items(), tokenizers.items()):
        lengths = pd.Series(
            [len(ids) for ids in tokenizer([p.human_solution for p in group], add_special_tokens=False)["input_ids"]]
        )
        tests = sum(len(p.inputs) for p in group) / len(group) or math.nan
        text = "reference" if name == "mbppplus" else "prompt + reference"
        numbers = (len(group), tests, lengths.max(), lengths.min(), lengths.mean(), lengths.std())
        rows.append((DATASET_NAMES[name], versions.get(name, "–"), text, model, *numbers))
    for r in printed[printed.dataset.isin(problems)].itertuples():
        rows.append((DATASET_NAMES[r.dataset], "as printed", "not stated", "paper", *r[2:]))
    columns = ["Dataset", "Version", "Counted text", "Tokenizer", "Problems", "Tests", "Max", "Min", "Mean", "Std"]
    return pd.DataFrame(rows, columns=columns).astype({"Tests": float})


def main(metrics: pd.DataFrame) -> pd.DataFrame:
    """Correctness (also pass@1 and pass@5), detectability, imperceptibility and STEM of every method, with 95 % intervals."""
    names = ["pass@1", "pass@5", *PARTS, "stem", "tpr@1", "tpr@5"]
    shown = metrics[metrics.metric.isin(names) & (metrics.method != "none")]
    keys = [*SETTING, "method"]
    rows = []
    for labels, group in shown.groupby(keys, sort=False, dropna=False):
        found, row = group.set_index("metric"), dict(zip(keys, labels, strict=True))
        for name in [n for n in names if n in found.index]:
            value, low, high = found.loc[name, ["value", "low", "high"]]
            row |= {name: value, f"{name} 95 %": f"[{low:.3f}, {high:.3f}]"}
        rows.append({**row, "n": found.n.iloc[0]})
    return named(pd.DataFrame(rows))


def unmarked(metrics: pd.DataFrame) -> pd.DataFrame:
    """Correctness of marked and unmarked code (paper, comparison with non-watermarked code)."""
    shown = metrics[metrics.metric.isin(["pass@1", "pass@5", "correctness"])]
    keys = ["model", "dataset", "method", "gamma", "delta"]
    table = (
        shown.pivot_table(index=keys, columns="metric", values="value", sort=False, dropna=False).dropna(how="all").reset_index()
    )
    return named(table)


def stem_weights(metrics: pd.DataFrame) -> pd.DataFrame:
    """STEM of every method under the paper's four weightings; a post-hoc method stands beside each gamma and delta."""
    rows = []
    for keys, group in rivals(wide(metrics)):
        for name, weights in WEIGHTS.items():
            scores = {METHOD_NAMES[r.method]: stem(r.correctness, r.auroc, r.imperceptibility, weights) for r in group.itertuples()}
            rows.append({**dict(zip(SETTING, keys, strict=True)), "weights": name, **scores})
    return named(pd.DataFrame(rows))


def attacks(found: pd.DataFrame) -> pd.DataFrame:
    """pass@1, AUROC and detection rates at 1 % and 5 % false positives before and after each attack, with 95 % intervals."""
    keys = [*SETTING, "method", "attack"]
    rows = []
    for names, group in found.groupby(keys, sort=False, dropna=False):
        values = group.set_index("metric")
        row = dict(zip(keys, names, strict=True))
        for metric, title in (("pass@1", "pass@1"), ("auroc", "AUROC"), ("tpr@1", "TPR at 1 % FPR"), ("tpr@5", "TPR at 5 % FPR")):
            value, low, high = values.loc[metric, ["value", "low", "high"]]
            row |= {title: value, f"{title}, 95 %": f"[{low:.3f}, {high:.3f}]"}
        rows.append({**row, "n": values.n.iloc[0]})
    frame = named(pd.DataFrame(rows)).rename(columns={"attack": "Attack"})
    return frame.assign(Attack=frame.Attack.replace({"none": "–"}))


def timing(times: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Milliseconds a text for insertion and detection, mean and standard deviation over repeats; beside them the paper's totals in seconds
    for a whole dataset, where it has one (config/published/timing.csv)."""
    rows = []
    for (model, dataset, method), group in times.groupby(["model", "dataset", "method"], sort=False):
        paper = printed[(printed.dataset == dataset) & (printed.method == method)]
        rows.append(
            {
                "model": model,
                "dataset": dataset,
                "method": method,
                "Insertion (ms)": 1000 * group.insertion.mean(),
                "sd": 1000 * group.insertion.std(),
                "Detection (ms)": 1000 * group.detection.mean(),
                "sd ": 1000 * group.detection.std(),
                "Repeats": len(group),
                "Paper: insertion (s)": paper.insertion_s.iloc[0] if len(paper) else math.nan,
                "Paper: detection (s)": paper.detection_s.iloc[0] if len(paper) else math.nan,
            }
        )
    return named(pd.DataFrame(rows))


def ablation(pairs: pd.DataFrame) -> pd.DataFrame:
    """Every method less STONE at the same gamma and delta (a post-hoc method: at each), paired over problems, with 95 % intervals; where there is a column key, under each
    key and over all of them (`stone.replication`)."""
    keys = [*SETTING, "method", *(["key"] if "key" in pairs else [])]
    rows = []
    for names, group in pairs.groupby(keys, sort=False):
        found = group.set_index("metric")
        row = dict(zip(keys, names, strict=True))
        for metric, title in (("pass@1", "pass@1"), ("auroc", "AUROC")):
            value, low, high = found.loc[metric, ["value", "low", "high"]]
            row |= {f"{title} less STONE's": value, f"{title} 95 %": f"[{low:.3f}, {high:.3f}]"}
        rows.append({**row, "n": found.n.iloc[0]})
    return (
        named(pd.DataFrame(rows).rename(columns={"key": "Key"}))
        if rows
        else pd.DataFrame(columns=[*map(str.capitalize, keys), "n"])
    )


def codeip(metrics: pd.DataFrame, messages: pd.DataFrame, printed: pd.DataFrame, printed_stem: pd.DataFrame) -> pd.DataFrame:
    """CodeIP: correctness (pass@1 here, as in the paper's table), detectability, imperceptibility, perplexities, STEM at the four weightings,
    and what was read of its messages (paper, appendix on CodeIP). The paper's rows (config/published) stand below ours.

    messages : `stone.message.read_messages`'s rows with model, dataset, delta, bits, distinct. Messages read and bit accuracy are shares of texts
    and of bits; chance is 2^-bits and 1/2.
    """
    keys, rows = ["model", "dataset"], []
    plain = metrics[(metrics.method == "none") & (metrics.metric == "perplexity")].set_index(keys).value
    for (model, dataset, delta), group in metrics[metrics.method == "codeip"].groupby([*keys, "delta"], sort=False):
        found = group.set_index("metric")
        parts = found.value[["pass@1", "auroc", "imperceptibility"]].tolist()
        read = messages[(messages.model == model) & (messages.dataset == dataset) & (messages.delta == delta)].astype(
            {"distinct": bool}
        )
        rows.append({
            "Model": model, "Dataset": DATASET_NAMES[dataset], "delta": delta, "Correctness": parts[0],
            "Detectability": parts[1], "95 %": f"[{found.low['auroc']:.3f}, {found.high['auroc']:.3f}]", "Imperceptibility": parts[2],
            "PPL unmarked": plain[model, dataset], "PPL marked": found.value["perplexity"],
            **{f"STEM, {name}": stem(parts[0], parts[1], parts[2], weights) for name, weights in WEIGHTS.items()},
            "Bits": str(read.bits.iloc[0]), "Messages read": read.right[~read.distinct].mean(),
            "Bit accuracy": read.bit_accuracy[~read.distinct].mean(), "Messages read, distinct pairs": read.right[read.distinct].mean(),
            "Bit accuracy, distinct pairs": read.bit_accuracy[read.distinct].mean(),
            "n": str(found.n.iloc[0]),
        })  # fmt: skip
    theirs = printed_stem[printed_stem.method == "codeip"].pivot(index="dataset", columns="weights", values="stem")
    for r in printed[printed.method == "codeip"].itertuples():
        if (metrics.dataset == r.dataset).any():
            rows.append({
                "Model": "paper", "Dataset": DATASET_NAMES[r.dataset], "delta": 5.0, "Correctness": r.correctness,
                "Detectability": r.detectability, "Imperceptibility": r.imperceptibility,
                "PPL unmarked": r.perplexity_unmarked, "PPL marked": r.perplexity,
                **{f"STEM, {name}": theirs[name][r.dataset] for name in WEIGHTS},
            })  # fmt: skip
    return pd.DataFrame(rows).fillna("–") if rows else pd.DataFrame(columns=["Model", "Dataset", "n"])


def stem_grid_shares(grid: pd.DataFrame) -> pd.DataFrame:
    """Share of the 66 weightings at which a method is first, alone or tied (paper, appendix on the grid)."""
    rows = []
    for keys, group in grid.groupby([*SETTING, "method"], sort=False, dropna=False):
        alone, tied = (group["first"] & ~group.tied).mean(), group.tied.mean()
        rows.append((*keys, len(group), alone, tied, alone + tied))
    columns = [*SETTING, "method", "Weightings", "First alone", "First tied", "First"]
    return named(pd.DataFrame(rows, columns=columns))


def sweet_selection(tokens: pd.DataFrame, thresholds: Sequence[float] = (0.7, 0.8, 0.9, 1.0, 1.1)) -> pd.DataFrame:
    """Share of generated tokens above SWEET's threshold, share of syntax among them, and its split by category, in percent."""
    rows = []
    for (model, dataset), group in tokens[tokens.source == "unmarked"].groupby(["model", "dataset"], sort=False):
        for threshold in thresholds:
            selected = group[group.entropy > threshold]
            marked = selected[selected.category != "etc"]
            split = marked.category.value_counts(normalize=True)
            shares = {CATEGORY_NAMES[c]: 100 * split.get(c, 0.0) for c in CATEGORY_NAMES if c != "etc"}
            syntax = 100 * len(marked) / max(1, len(selected))
            rows.append(
                {
                    "model": model,
                    "dataset": dataset,
                    "Threshold": threshold,
                    "Selected (%)": 100 * len(selected) / len(group),
                    "Syntax (%)": syntax,
                }
                | shares
            )
    return named(pd.DataFrame(rows))


def syntax_elements() -> pd.DataFrame:
    """The five categories of syntax elements of the three languages (paper, appendix)."""
    shown = {" ": "space", "\n": "\\n", "\t": "\\t"}
    rows = [
        (CATEGORY_NAMES[c], *(" ".join(shown.get(e, e) for e in SYNTAX_ELEMENTS[language][c]) for language in LANGUAGES))
        for c in CATEGORY_NAMES
        if c != "etc"
    ]
    return pd.DataFrame(rows, columns=["Category", "Python", "C++", "Java"])


def syntax_examples(tokens: pd.DataFrame, threshold: float, most: int = 15) -> pd.DataFrame:
    """The syntax tokens that SWEET selects most often in generated code, by category."""
    selected = tokens[(tokens.source == "unmarked") & (tokens.entropy > threshold) & (tokens.category != "etc")]
    shown = {" ": "space", "\n": "\\n", "\t": "\\t"}
    rows = []
    for dataset, group in selected.groupby("dataset", sort=False):
        for category in [c for c in CATEGORY_NAMES if c != "etc"]:
            texts = group[group.category == category].token.map(lambda t: shown.get(t, t.strip()))
            rows.append((dataset, CATEGORY_NAMES[category], "  ".join(texts.value_counts().index[:most]) or "–"))
    return named(pd.DataFrame(rows, columns=["dataset", "Category", "Examples"]))


def round_trip(texts: pd.DataFrame) -> pd.DataFrame:
    """How much of marked texts survives decoding and encoding again, and what it costs in z (`stone.scan.round_trip`)."""
    rows = []
    for keys, group in texts.groupby([*SETTING, "method"], sort=False, dropna=False):
        same = (group.survived == group.tokens) & (group.z == group.z_encoded)
        shares = 100 * group.survived.sum() / group.tokens.sum(), 100 * same.mean()
        rows.append((*keys, len(group), *shares, group.z.mean(), group.z_encoded.mean(), (group.z_encoded - group.z).abs().max()))
    heads = ["Texts", "Ids kept (%)", "Texts unchanged (%)", "Mean z drawn", "Mean z encoded", "Largest change of z"]
    return named(pd.DataFrame(rows, columns=[*SETTING, "method", *heads]))


# -- writing ---------------------------------------------------------------------------------------------------------------------
def write_table(frame: pd.DataFrame, stem_path: Path) -> None:
    """Write stem_path.csv (full precision), .md and .tex (three decimals, missing values as a dash)."""
    stem_path.parent.mkdir(parents=True, exist_ok=True)
    write_text(f"{stem_path}.csv", frame.to_csv(index=False))
    shown = frame.map(_cell)
    write_text(f"{stem_path}.md", _markdown(shown))
    write_text(f"{stem_path}.tex", _latex(shown))


def _cell(value) -> str:
    if isinstance(value, float):
        return "–" if value != value else f"{value:.3f}"
    return str(value)


def _markdown(frame: pd.DataFrame) -> str:
    escape = lambda text: str(text).replace("|", "\\|")  # noqa: E731
    lines = [list(map(escape, frame.columns)), ["---"] * frame.shape[1], *([escape(v) for v in row] for row in frame.to_numpy())]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
                       "\\": r"\textbackslash{}", "–": "--", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}"})  # fmt: skip


def _latex(frame: pd.DataFrame) -> str:
    rows = [" & ".join(str(v).translate(_LATEX) for v in row) + r" \\" for row in [frame.columns, *frame.to_numpy()]]
    columns = "l" * frame.shape[1]
    body = "\n".join(
        [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", rows[0], r"\midrule", *rows[1:], r"\bottomrule", r"\end{tabular}"]
    )
    return body + "\n"
