"""The figure on the entropy of tokens."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from stone.display import CATEGORY_NAMES
from stone.figures.style import facets, first_column


def entropy_by_type(tokens: pd.DataFrame) -> Figure:
    """Mean Shannon entropy by token category in generated code, with 95 % intervals of the mean (paper, figure on entropy)."""
    figure, panels = facets(tokens[tokens.source == "unmarked"], 2.2)
    for ax, here in panels:
        groups = here.groupby("category").entropy
        mean, error = groups.mean(), 1.96 * groups.std() / np.sqrt(groups.size())
        order = [c for c in CATEGORY_NAMES if c in mean]
        style: dict[str, Any] = {"edgecolor": "#333333", "linewidth": 0.6, "capsize": 2, "error_kw": {"elinewidth": 0.8}}
        colours = ["#0072B2" if c == "etc" else "#CCCCCC" for c in order]
        ax.bar([CATEGORY_NAMES[c] for c in order], mean[order], yerr=error[order], color=colours, **style)
        ax.set_ylim(bottom=0)
        ax.tick_params(axis="x", rotation=45)
        for label in ax.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
        ax.grid(axis="x", visible=False)
    for ax, _ in first_column(panels):
        ax.set_ylabel("Mean entropy (nats)")
    return figure
