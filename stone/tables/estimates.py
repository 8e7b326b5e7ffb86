"""Rows of estimates with their 95 % intervals, under the names that tables show."""

from collections.abc import Mapping, Sequence

import pandas as pd

from stone.display import DATASET_NAMES, METHOD_NAMES

SETTING = ["model", "dataset", "gamma", "delta"]


def estimates(metrics: pd.DataFrame, titles: Mapping[str, str], keys: Sequence[str]) -> pd.DataFrame:
    """One row per combination of keys: each metric's value under its title, "<title> 95 %" beside it, and n, the number of problems.

    metrics : columns of keys, metric, value, low, high, n. Metrics that no row has are left out.
    """
    metrics = metrics[metrics.metric.isin(titles)]
    present = {metric: title for metric, title in titles.items() if metric in set(metrics.metric)}
    rows = []
    for names, group in metrics.groupby(list(keys), sort=False, dropna=False):
        row, found = dict(zip(keys, names, strict=True)), group.set_index("metric")
        for metric, title in present.items():
            if metric in found.index:
                value, low, high = found.loc[metric, ["value", "low", "high"]]
                row |= {title: value, f"{title} 95 %": f"[{low:.3f}, {high:.3f}]"}
        rows.append({**row, "n": found.n.iloc[0]})
    columns = [*keys, *(c for title in present.values() for c in (title, f"{title} 95 %")), "n"]
    return pd.DataFrame(rows, columns=columns)


def named(frame: pd.DataFrame) -> pd.DataFrame:
    """Display names of datasets and methods, capitalised headings."""
    named = frame.assign(dataset=frame.dataset.map(DATASET_NAMES))
    if "method" in named:
        named["method"] = named.method.map(METHOD_NAMES)
    return named.rename(columns={c: c.capitalize() for c in ("model", "dataset", "method", "weights", "attack")})
