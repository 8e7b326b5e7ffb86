"""The figure on attacks."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from stone.display import METHOD_COLOURS, METHOD_MARKERS, METHOD_NAMES
from stone.figures.style import facets, first_column, legend_below, order


def attacks(found: pd.DataFrame) -> Figure:
    """AUROC (above) and pass@1 (below) of every method before and after each attack, with 95 % intervals (paper, figure on attacks)."""
    titles = {"auroc": "AUROC", "pass@1": "pass@1"}
    chosen = found[found.metric.isin(titles)].sort_values("metric", kind="stable").drop(columns=["gamma", "delta"])
    chosen = pd.concat([here for _, here in chosen.groupby("model", sort=False)])
    methods, kinds = order(found.method, METHOD_NAMES), list(dict.fromkeys(found.attack))
    figure, panels = facets(chosen, 2.0, rows=["metric"])
    for ax, here in panels:
        for k, method in enumerate(methods):
            mine = here[here.method == method].drop_duplicates("attack").set_index("attack").loc[kinds]
            place = np.arange(len(kinds)) + min(0.16, 0.85 / len(methods)) * (k - (len(methods) - 1) / 2)
            error = np.clip([mine.value - mine.low, mine.high - mine.value], 0, None)
            style: dict[str, Any] = {
                "marker": METHOD_MARKERS[method],
                "color": METHOD_COLOURS[method],
                "markeredgecolor": "black",
                "markersize": 5,
            }
            ax.errorbar(place, mine.value, yerr=error, linestyle="", linewidth=1, label=METHOD_NAMES[method], **style)
        ax.set_xticks(range(len(kinds)), ["before" if k == "none" else k for k in kinds])
        if here.metric.iloc[0] == "auroc":
            ax.axhline(0.5, color="black", linestyle=":", linewidth=0.8)
    for ax, here in first_column(panels):
        ax.set_ylabel(titles[here.metric.iloc[0]])
    legend_below(figure, panels)
    return figure
