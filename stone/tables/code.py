"""Tables of code and its tokens: the benchmarks, the syntax elements, what SWEET selects."""

import math
from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import pandas as pd

from stone.datasets import Problem
from stone.display import CATEGORY_NAMES, DATASET_NAMES
from stone.syntax import LANGUAGES, SYNTAX_ELEMENTS
from stone.tables.estimates import named
from stone.tables.paper import beside

SYNTAX = [category for category in CATEGORY_NAMES if category != "etc"]


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


def sweet_selection(
    tokens: pd.DataFrame, printed: pd.DataFrame, thresholds: Sequence[float] = (0.7, 0.8, 0.9, 1.0, 1.1)
) -> pd.DataFrame:
    """Share of generated tokens above SWEET's threshold, share of syntax among them, and its split by category, in percent (paper, appendix
    on SWEET's tokens). tokens : `stone.scan.read_texts`'s; the unmarked ones count."""
    rows = []
    for (model, dataset), group in tokens[tokens.source == "unmarked"].groupby(["model", "dataset"], sort=False):
        for threshold in thresholds:
            selected = group[group.entropy > threshold]
            syntax = selected[selected.category != "etc"]
            split = 100 * syntax.category.value_counts(normalize=True)
            shares = {"Selected (%)": 100 * len(selected) / len(group), "Syntax (%)": 100 * len(syntax) / max(1, len(selected))}
            shares |= {CATEGORY_NAMES[c]: split.get(c, 0.0) for c in SYNTAX}
            rows.append({"model": model, "dataset": dataset, "threshold": threshold} | shares)
    return named(beside(pd.DataFrame(rows), printed))


def syntax_elements() -> pd.DataFrame:
    """The five categories of syntax elements of the three languages (paper, appendix)."""
    rows = [(CATEGORY_NAMES[c], *(" ".join(map(_shown, SYNTAX_ELEMENTS[language][c])) for language in LANGUAGES)) for c in SYNTAX]
    return pd.DataFrame(rows, columns=["Category", "Python", "C++", "Java"])


def syntax_examples(tokens: pd.DataFrame, threshold: float, printed: pd.DataFrame, most: int = 15) -> pd.DataFrame:
    """The syntax tokens that SWEET selects most often in generated code, by category (paper, appendix on SWEET's tokens)."""
    selected = tokens[(tokens.source == "unmarked") & (tokens.entropy > threshold)]
    rows = []
    for (model, dataset), group in selected.groupby(["model", "dataset"], sort=False):
        for category in SYNTAX:
            texts = group[group.category == category].token.map(_shown)
            rows.append((model, dataset, category, " ".join(texts.value_counts().index[:most]) or "–"))
    frame = beside(pd.DataFrame(rows, columns=["model", "dataset", "category", "Examples"]), printed)
    return named(frame.assign(category=frame.category.map(CATEGORY_NAMES)))


def _shown(element: str) -> str:
    """An element as a reader sees it; tokens lose the white space around them."""
    return {" ": "space", "\n": "\\n", "\t": "\\t"}.get(element, element.strip())
