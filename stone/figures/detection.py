"""Figures of the detectors' scores: ROC, distribution of z, z against length, and how long a text must be."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter
from scipy.stats import norm

from stone.display import METHOD_COLOURS, METHOD_LINES, METHOD_MARKERS, METHOD_NAMES, SOURCE_COLOURS
from stone.evaluation import by_problem
from stone.figures.style import at_one_point, facets, first_column, last_row, legend_below, order
from stone.methods import METHODS
from stone.metrics import bootstrap, tpr_at_fpr
from stone.scoring import detection_power, least_green

FPRS = (0.01, 0.03, 0.1, 0.3)  # where a ROC curve shows its interval
ALPHAS = {0.01: "1 %", 0.001: "0.1 %"}


def roc(detections: pd.DataFrame, resamples: int = 200) -> Figure:
    """ROC curves of marked against human code with a logarithmic FPR axis; whiskers are 95 % intervals over problems."""
    figure, panels = facets(at_one_point(detections), 2.3)
    for ax, here in panels:
        floor = 1 / here[here.source == "human"].groupby("method").size().max()
        for k, method in enumerate(order(here.method, METHOD_NAMES)):
            mine = here[here.method == method]
            human, marked = (by_problem(mine[mine.source == source], "z") for source in ("human", "marked"))
            negatives, positives = np.sort(human[:, 0])[::-1], marked.ravel()
            rates = np.arange(len(negatives) + 1) / len(negatives)
            hits = [(positives > t).mean() for t in negatives] + [1.0]
            line: dict[str, Any] = {"color": METHOD_COLOURS[method], "linestyle": METHOD_LINES[method]}
            at = [f for f in FPRS if f >= floor]
            found = [bootstrap(partial(_hits, marked, human, f), len(human), resamples) for f in at]
            error = np.clip([[e.value - e.low for e in found], [e.high - e.value for e in found]], 0, None)
            style: dict[str, Any] = {
                "marker": METHOD_MARKERS[method],
                "markersize": 4,
                "markeredgecolor": "black",
                "markeredgewidth": 0.5,
            }
            ax.step(rates, hits, where="post", linewidth=1.3, markevery=[], label=METHOD_NAMES[method], **style, **line)
            bars = {**style, "color": line["color"], "linestyle": "", "elinewidth": 0.9}
            ax.errorbar(np.array(at) * 1.09**k, [e.value for e in found], yerr=error, **bars)
        diagonal = np.geomspace(floor, 1, 50)
        ax.plot(diagonal, diagonal, color="#777777", linestyle=":", linewidth=1)
        ax.set_xscale("log")
        ax.set_xlim(floor, 1)
        shown = [f for f in (*FPRS, 1) if f >= floor]
        ax.set_xticks(shown, [f"{f:g}" for f in shown])
        ax.xaxis.set_minor_formatter(NullFormatter())
        ax.set_ylim(-0.02, 1.02)
    for ax in last_row(panels):
        ax.set_xlabel("False-positive rate")
    for ax, _ in first_column(panels):
        ax.set_ylabel("True-positive rate")
    legend_below(figure, panels)
    return figure


def _hits(marked: np.ndarray, human: np.ndarray, fpr: float, problems: np.ndarray) -> float:
    return tpr_at_fpr(marked[problems].ravel(), human[problems, 0], fpr)


def z_histogram(detections: pd.DataFrame) -> Figure:
    """Density of the z-scores of human, unmarked and marked code under each method's detector; dotted: the standard normal."""
    figure, panels = facets(at_one_point(detections), 1.3, rows=["method"], sharex=True)
    for ax, here in panels:
        bins = np.linspace(here.z.min(), here.z.max(), 25)
        z = {source: here[here.source == source].z for source in SOURCE_COLOURS}
        common: dict[str, Any] = {"bins": bins, "density": True}
        ax.hist(z["human"], color="#CCCCCC", label="human", **common)
        ax.hist(z["unmarked"], histtype="step", color=SOURCE_COLOURS["unmarked"], linestyle="--", linewidth=1.3, label="unmarked", **common)  # fmt: skip
        ax.hist(z["marked"], histtype="step", color=SOURCE_COLOURS["marked"], linewidth=1.3, label="marked", **common)
        grid = np.linspace(bins[0], bins[-1], 200)
        ax.plot(grid, norm.pdf(grid), color="black", linestyle=":", linewidth=1, label="standard normal")
        ax.grid(axis="y", visible=False)
    _name_rows(panels, "z", "Density")
    legend_below(figure, panels)
    return figure


def z_length(detections: pd.DataFrame) -> Figure:
    """z of human, unmarked and marked code against the number of scored tokens; above the line a text has p < 0.01."""
    figure, panels = facets(at_one_point(detections), 1.4, rows=["method"], sharex=True)
    styles = {"human": ("o", 9, 0.9), "unmarked": ("x", 7, 0.6), "marked": ("^", 8, 0.5)}
    for ax, here in panels:
        for source, (marker, size, alpha) in styles.items():
            mine = here[here.source == source]
            ax.scatter(
                mine.scored, mine.z, s=size, marker=marker, color=SOURCE_COLOURS[source], alpha=alpha, linewidth=0.7, label=source
            )
        scored = np.arange(1, here.scored.max() + 1)
        ax.plot(
            scored,
            _threshold(here.method.iloc[0], scored, here.gamma.fillna(0.5).iloc[0]),
            color="black",
            linewidth=0.8,
            label="p = 0.01",
        )
        ax.margins(y=0.1)
    _name_rows(panels, "Scored tokens", "z")
    legend_below(figure, panels)
    return figure


def _threshold(method: str, scored: np.ndarray, gamma: float) -> np.ndarray:
    """z [n] at which p is 0.01: of the exact binomial law for weights of 0 and 1, else of the normal law."""
    if METHODS[method].reads == "spike":
        return np.full(len(scored), norm.isf(0.01))
    return (least_green(scored, gamma, 0.01) - gamma * scored) / np.sqrt(gamma * (1 - gamma) * scored)


def power(shares: pd.DataFrame) -> Figure:
    """Chance that a marked text is detected against its number of scored tokens, at the measured green share; bands are its 95 % interval.

    shares : `stone.evaluation.green_shares`'s; methods that weigh their tokens aren't there.
    """
    tables = [here.assign(alpha=alpha) for _, here in at_one_point(shares).groupby("model", sort=False) for alpha in ALPHAS]
    figure, panels = facets(pd.concat(tables), 1.8, rows=["alpha"], sharex=True)
    scored = np.unique(np.geomspace(2, 1000, 300).astype(int))
    for ax, here in panels:
        for k, r in enumerate(here.itertuples()):
            curve, low, high = (detection_power(scored, r.gamma, share, r.alpha) for share in (r.value, r.low, r.high))
            colour, marks = METHOD_COLOURS[r.method], (15 + 12 * k, 50)
            ax.plot(scored, curve, color=colour, linestyle=METHOD_LINES[r.method], linewidth=1.2, marker=METHOD_MARKERS[r.method],
                    markevery=marks, markersize=4, markeredgecolor="black", markeredgewidth=0.5, label=METHOD_NAMES[r.method])  # fmt: skip
            ax.fill_between(scored, low, high, color=colour, alpha=0.2, linewidth=0)
        ax.set_xscale("log")
        ax.set_ylim(-0.02, 1.02)
    for ax in last_row(panels):
        ax.set_xlabel("Scored tokens")
    for ax, here in first_column(panels):
        ax.set_ylabel(f"Detection probability\nat FPR {ALPHAS[here.alpha.iloc[0]]}")
    legend_below(figure, panels)
    return figure


def _name_rows(panels: list[tuple[Axes, pd.DataFrame]], x: str, y: str) -> None:
    for ax in last_row(panels):
        ax.set_xlabel(x)
    for ax, here in first_column(panels):
        ax.set_ylabel(f"{METHOD_NAMES[here.method.iloc[0]]}\n{y}")
