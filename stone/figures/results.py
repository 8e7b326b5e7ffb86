"""Figures of the metrics: the trade-off of quality and detection, and who is first in STEM."""

from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from stone.display import METHOD_COLOURS, METHOD_MARKERS, METHOD_NAMES
from stone.figures.style import at_one_point, facets, first_column, last_row, order


def tradeoff_bubble(metrics: pd.DataFrame) -> Figure:
    """pass@1 against AUROC with 95 % intervals: colour is gamma, size is delta, shape is the method, dashed lines are medians (paper, figure
    on the trade-off). A post-hoc method, which has neither gamma nor delta, is white. Datasets with a sweep only, where there is one."""
    chosen = metrics[metrics.metric.isin(["pass@1", "auroc"]) & (metrics.method != "none")]
    keys = ["model", "dataset", "method", "gamma", "delta"]
    points = chosen.set_index([*keys, "metric"])[["value", "low", "high"]].unstack("metric")
    points.columns = [f"{metric.replace('@', '')}_{part}" for part, metric in points.columns]
    points = points.reset_index().sort_values("delta", ascending=False, kind="stable")  # small bubbles over large ones
    settings = points.drop_duplicates(["dataset", "gamma", "delta"]).groupby("dataset").size()
    points = points[points.dataset.isin(settings[settings == settings.max()].index)].sort_values(
        "model", key=lambda m: m.map({name: k for k, name in enumerate(dict.fromkeys(metrics.model))}), kind="stable"
    )
    gammas, deltas = (sorted(points[name].dropna().unique()) for name in ("gamma", "delta"))
    colour = dict(
        zip(gammas, mpl.colormaps["viridis"](np.linspace(0.95, 0.1, len(gammas)) if len(gammas) > 1 else [0.6]), strict=True)
    )
    size = dict(zip(deltas, np.linspace(18, 160, len(deltas)) if len(deltas) > 1 else [60], strict=True))
    figure, panels = facets(points, 3.0)
    for ax, here in panels:
        for r in here.itertuples():
            x, y = (np.clip([[v - low], [high - v]], 0, None) for v, low, high in (
                (r.auroc_value, r.auroc_low, r.auroc_high), (r.pass1_value, r.pass1_low, r.pass1_high)))  # fmt: skip
            ax.errorbar(r.auroc_value, r.pass1_value, yerr=y, xerr=x, color="#888888", linewidth=0.4, alpha=0.7, zorder=1)
            style: dict[str, Any] = {
                "marker": METHOD_MARKERS[r.method],
                "edgecolor": "black",
                "linewidth": 0.6,
                "alpha": 0.85,
                "zorder": 3,
            }
            area, fill = (size[r.delta], colour[r.gamma]) if r.delta in size else (60, "white")
            ax.scatter(r.auroc_value, r.pass1_value, s=area, color=fill, **style)
        ax.axvline(here.auroc_value.median(), color="black", linestyle="--", linewidth=0.8, zorder=2)
        ax.axhline(here.pass1_value.median(), color="black", linestyle="--", linewidth=0.8, zorder=2)
    for ax in last_row(panels):
        ax.set_xlabel("Detectability (AUROC)")
    for ax, _ in first_column(panels):
        ax.set_ylabel("pass@1")
    shape: dict[str, Any] = {"linestyle": "", "markeredgecolor": "black", "markeredgewidth": 0.6}
    white = {"color": "white", **shape}
    handles = [Line2D([], [], marker=METHOD_MARKERS[m], label=METHOD_NAMES[m], **white) for m in order(points.method, METHOD_NAMES)]
    handles += [Line2D([], [], marker="o", color=colour[g], label=f"γ = {g:g}", **shape) for g in gammas]
    handles += [Line2D([], [], marker="o", markersize=s**0.5, label=f"δ = {d:g}", **white) for d, s in size.items()]
    figure.legend(handles=handles, loc="outside right center", labelspacing=0.9)
    return figure


def stem_ternary(grid: pd.DataFrame) -> Figure:
    """Which method is first in STEM at each weighting of correctness, detectability and imperceptibility."""
    chosen = at_one_point(grid)
    figure, panels = facets(chosen[chosen["first"]], 2.0)
    winners: set[str] = set()
    for ax, here in panels:
        x, y = here.beta + here.zeta / 2, here.zeta * 3**0.5 / 2
        ax.plot([0, 1, 0.5, 0], [0, 0, 3**0.5 / 2, 0], color="#888888", linewidth=0.6, zorder=1)
        for method in order(here.method, METHOD_NAMES):
            mine, tied = here.method == method, here.tied
            style: dict[str, Any] = {"marker": METHOD_MARKERS[method], "linewidth": 0.5, "clip_on": False, "zorder": 2}
            ax.scatter(x[mine & ~tied], y[mine & ~tied], s=26, color=METHOD_COLOURS[method], edgecolor="black", **style)
            ax.scatter(x[mine & tied], y[mine & tied], s=26, facecolor="none", edgecolor=METHOD_COLOURS[method], **style)
            winners.add(method)
        corners = (("Correctness", 0, 0), ("Detectability", 1, 0), ("Imperceptibility", 0.5, 3**0.5 / 2))
        for text, px, py in corners:
            ax.annotate(text, (px, py), xytext=(0, 7 if py else -13), textcoords="offset points", ha="center", fontsize=6.5)
        ax.set_title(ax.get_title(), pad=14)
        ax.set_aspect("equal")
        ax.set_axis_off()
    handles = [
        Line2D(
            [], [], linestyle="", marker=METHOD_MARKERS[m], color=METHOD_COLOURS[m], markeredgecolor="black", label=METHOD_NAMES[m]
        )
        for m in order(winners, METHOD_NAMES)
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), title="First in STEM (hollow: tied)")
    return figure
