"""The paper's figures, each a function data -> Figure, and one place that writes them."""

import os
import re
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from stone.display import CATEGORY_NAMES, DATASET_NAMES, METHOD_COLOURS, METHOD_MARKERS, METHOD_NAMES, SOURCE_COLOURS
from stone.evaluation import wide
from stone.tokenview import TokenView

mpl.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "axes.titlesize": 9,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e6e6e6",
        "axes.axisbelow": True,
        "legend.frameon": False,
        "pdf.fonttype": 42,
        "savefig.dpi": 200,
    }
)


def write_figure(figure: Figure, stem: Path) -> None:
    """Write stem.pdf (fonts embedded) and stem.png, without dates, so that equal figures are equal files."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    for kind, metadata in (("pdf", {"CreationDate": None}), ("png", {})):
        part = f"{stem}.{kind}.part"
        figure.savefig(part, format=kind, bbox_inches="tight", metadata=metadata)
        os.replace(part, f"{stem}.{kind}")


def _panels(names, height: float = 2.4, rows: int = 1) -> tuple[Figure, np.ndarray]:
    figure = Figure(figsize=(min(2.6 * len(names), 10.4) if len(names) > 1 else 3.6, height * rows), layout="constrained")
    return figure, figure.subplots(rows, len(names), squeeze=False, sharey="row")


def _strongest(frame: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """The rows of the largest delta and those of post-hoc methods, which have none; and what a title says of it."""
    largest = frame.delta.max()
    return frame[(frame.delta == largest) | frame.delta.isna()], "" if np.isnan(largest) else f", δ = {largest:g}"


def _order(values, known) -> list[str]:
    present = set(values)
    return [name for name in known if name in present]


def entropy_by_type(tokens: pd.DataFrame) -> Figure:
    """Mean Shannon entropy by token category in generated code, with 95 % intervals of the mean (paper, figure on entropy)."""
    tokens = tokens[tokens.source == "unmarked"]
    datasets = _order(tokens.dataset, DATASET_NAMES)
    figure, axes = _panels(datasets)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        groups = tokens[tokens.dataset == dataset].groupby("category").entropy
        mean, error = groups.mean(), 1.96 * groups.std() / np.sqrt(groups.size())
        order = [c for c in CATEGORY_NAMES if c in mean]
        colours = ["#0072B2" if c == "etc" else "#BBBBBB" for c in order]
        ax.bar(
            [CATEGORY_NAMES[c] for c in order],
            mean[order],
            yerr=error[order],
            color=colours,
            edgecolor="#444444",
            linewidth=0.6,
            capsize=2,
        )
        ax.set_title(DATASET_NAMES[dataset])
        ax.tick_params(axis="x", rotation=45)
        ax.grid(axis="x", visible=False)
    axes[0][0].set_ylabel("Mean entropy (nats)")
    return figure


def tradeoff_bubble(metrics: pd.DataFrame) -> Figure:
    """pass@1 against AUROC: colour is gamma, size is delta, shape is the method; a post-hoc method, which has neither gamma nor delta, is a
    small white mark (paper, figure on the trade-off)."""
    points = wide(metrics, ("pass@1", "auroc"))
    datasets, methods = _order(points.dataset, DATASET_NAMES), _order(points.method, METHOD_NAMES)
    gammas = sorted(points.gamma.dropna().unique())
    colour = dict(zip(gammas, mpl.colormaps["viridis"](np.linspace(0.15, 0.85, len(gammas))), strict=True))
    size = {d: 30 + 90 * k for k, d in enumerate(sorted(points.delta.dropna().unique()))}
    figure, axes = _panels(datasets, 2.9)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        here = points[points.dataset == dataset]
        for row in here.itertuples():
            x, y = row.auroc, row[here.columns.get_loc("pass@1") + 1]
            plain = np.isnan(row.gamma)
            ax.scatter(
                x,
                y,
                s=60 if plain else size[row.delta],
                color="white" if plain else colour[row.gamma],
                marker=METHOD_MARKERS[row.method],
                edgecolor="black",
                linewidth=0.7,
                alpha=0.8,
            )
        ax.axvline(here.auroc.median(), color="black", linestyle="--", linewidth=0.8)
        ax.axhline(here["pass@1"].median(), color="black", linestyle="--", linewidth=0.8)
        ax.set_title(DATASET_NAMES[dataset])
        ax.set_xlabel("Detectability (AUROC)")
        ax.margins(0.15)
    axes[0][0].set_ylabel("pass@1")
    shape: dict[str, Any] = {"linestyle": "", "markeredgecolor": "black"}
    handles = [Line2D([], [], marker=METHOD_MARKERS[m], color="white", label=METHOD_NAMES[m], **shape) for m in methods]
    handles += [Line2D([], [], marker="o", color=colour[g], label=f"γ = {g:g}", **shape) for g in gammas]
    handles += [Line2D([], [], marker="o", color="white", markersize=s**0.5, label=f"δ = {d:g}", **shape) for d, s in size.items()]
    figure.legend(handles=handles, loc="outside right center", labelspacing=1.0)
    return figure


def roc(detections: pd.DataFrame) -> Figure:
    """ROC curves of marked against human code with a logarithmic FPR axis, at the largest delta of each dataset."""
    datasets = _order(detections.dataset, DATASET_NAMES)
    figure, axes = _panels(datasets)
    for ax, dataset in zip(axes[0], datasets, strict=True):
        here = detections[detections.dataset == dataset]
        here, title = _strongest(here)
        for method in _order(here.method, METHOD_NAMES):
            mine = here[here.method == method]
            human = np.sort(mine[mine.source == "human"].z)[::-1]
            marked = mine[mine.source == "marked"].z.to_numpy()
            rates = np.arange(len(human) + 1) / len(human)
            hits = [(marked > t).mean() for t in human] + [1.0]
            ax.step(
                rates,
                hits,
                where="post",
                color=METHOD_COLOURS[method],
                label=METHOD_NAMES[method],
                marker=METHOD_MARKERS[method],
                markevery=0.2,
                markersize=4,
            )
        line = np.geomspace(1 / len(human), 1, 50)
        ax.plot(line, line, color="#777777", linestyle=":", linewidth=1)
        ax.set_xscale("log")
        ax.set_xlim(1 / len(human), 1)
        ax.set_title(f"{DATASET_NAMES[dataset]}{title}")
        ax.set_xlabel("False-positive rate")
    axes[0][0].set_ylabel("True-positive rate")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside right center")
    return figure


def z_histogram(detections: pd.DataFrame) -> Figure:
    """z-scores of human, unmarked and marked code under each method's detector, at the largest delta."""
    datasets, methods = _order(detections.dataset, DATASET_NAMES), _order(detections.method, METHOD_NAMES)
    figure, axes = _panels(datasets, 1.5, len(methods))
    style = {"human": "-", "unmarked": "--", "marked": "-"}
    for row, method in zip(axes, methods, strict=True):
        for ax, dataset in zip(row, datasets, strict=True):
            here = detections[(detections.dataset == dataset) & (detections.method == method)]
            here, _ = _strongest(here)
            bins = np.linspace(here.z.min(), here.z.max(), 25)
            for source in style:
                ax.hist(
                    here[here.source == source].z,
                    bins=bins,
                    density=True,
                    histtype="step",
                    color=SOURCE_COLOURS[source],
                    linestyle=style[source],
                    linewidth=1.4,
                    label=source,
                )
            ax.grid(axis="y", visible=False)
            if method == methods[0]:
                ax.set_title(DATASET_NAMES[dataset])
        row[0].set_ylabel(METHOD_NAMES[method])
    for ax in axes[-1]:
        ax.set_xlabel("z")
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside right center")
    return figure


def stem_ternary(grid: pd.DataFrame) -> Figure:
    """Which method is first in STEM at each weighting of correctness, detectability and imperceptibility (largest delta)."""
    datasets = _order(grid.dataset, DATASET_NAMES)
    figure, axes = _panels(datasets, 2.6)
    winners = []
    for ax, dataset in zip(axes[0], datasets, strict=True):
        here = grid[(grid.dataset == dataset) & grid["first"]]
        here, _ = _strongest(here)
        x, y = here.beta + here.zeta / 2, here.zeta * 3**0.5 / 2
        for method in _order(here.method, METHOD_NAMES):
            mine, tied = here.method == method, here.tied
            style = {"color": METHOD_COLOURS[method], "marker": METHOD_MARKERS[method], "s": 34}
            ax.scatter(x[mine & ~tied], y[mine & ~tied], edgecolor="black", linewidth=0.4, **style)
            ax.scatter(x[mine & tied], y[mine & tied], alpha=0.45, **style)
            winners.append(method)
        for (px, py), text, align in zip(
            [(0, 0), (1, 0), (0.5, 0.866)],
            ["Correctness", "Detectability", "Imperceptibility"],
            ["left", "right", "center"],
            strict=True,
        ):
            ax.annotate(text, (px, py), xytext=(0, 9 if py else -14), textcoords="offset points", ha=align, fontsize=7)
        ax.set_title(DATASET_NAMES[dataset], pad=16)
        ax.set_aspect("equal")
        ax.set_axis_off()
    handles = [
        Line2D([], [], linestyle="", marker=METHOD_MARKERS[m], color=METHOD_COLOURS[m], label=METHOD_NAMES[m])
        for m in _order(winners, METHOD_NAMES)
    ]
    figure.legend(handles=handles, loc="outside right center", title="First in STEM\n(pale: tied)")
    return figure


def attacks(found: pd.DataFrame) -> Figure:
    """AUROC (above) and pass@1 (below) of every method before and after each attack, with 95 % intervals (paper, figure on attacks)."""
    datasets, methods = _order(found.dataset, DATASET_NAMES), _order(found.method, METHOD_NAMES)
    kinds = list(dict.fromkeys(found.attack))
    figure, axes = _panels(datasets, rows=2)
    for (row, (metric, title)), (column, dataset) in product(
        enumerate((("auroc", "AUROC"), ("pass@1", "pass@1"))), enumerate(datasets)
    ):
        ax, here = axes[row][column], found[(found.dataset == dataset) & (found.metric == metric)]
        for k, method in enumerate(methods):
            mine = here[here.method == method].drop_duplicates("attack").set_index("attack").loc[kinds]
            place = np.arange(len(kinds)) + 0.16 * (k - (len(methods) - 1) / 2)
            error = np.clip([mine.value - mine.low, mine.high - mine.value], 0, None)
            style = {"marker": METHOD_MARKERS[method], "color": METHOD_COLOURS[method], "markeredgecolor": "black", "markersize": 5}
            ax.errorbar(place, mine.value, yerr=error, linestyle="", linewidth=1, label=METHOD_NAMES[method], **style)
        ax.set_xticks(range(len(kinds)), ["before" if k == "none" else k for k in kinds])
        if row == 0:
            ax.set_title(DATASET_NAMES[dataset])
            ax.axhline(0.5, color="black", linestyle=":", linewidth=0.8)
        if column == 0:
            ax.set_ylabel(title)
    figure.legend(*axes[0][0].get_legend_handles_labels(), loc="outside right center")
    return figure


def motivation(panels: Sequence[tuple[str, Sequence[TokenView]]], columns: int = 64) -> Figure:
    """Programs side by side, token by token: green tokens on green, red ones hatched, syntax in bold (paper, motivating example).

    panels : title and tokens of each program; longer lines are wrapped at `columns` characters.
    """
    laid = [_lay_out(tokens, columns) for _, tokens in panels]
    height = max([row + 1 for cells in laid for row, *_ in cells], default=1)
    count = max(1, len(panels))
    figure = Figure(figsize=(4.6 * count, 0.15 * height + 0.8), layout="constrained")
    axes = figure.subplots(1, count, squeeze=False)
    for ax, (title, _), cells in zip(axes[0], panels, laid, strict=False):
        ax.set_title(title, loc="left", fontsize=9)
        for row, column, text, kind in cells:
            if kind in _TOKEN_FILLS:
                fill, hatch = _TOKEN_FILLS[kind]
                ax.add_patch(Rectangle((column, row), len(text), 1, facecolor=fill, hatch=hatch, edgecolor="#AA3322", linewidth=0))
            for offset, letter in enumerate(text):
                weight = "bold" if kind == "syntax" else "normal"
                colour = "#777777" if kind == "unscored" else "black"
                ax.text(column + offset + 0.5, row + 0.5, letter, family="monospace", fontsize=6.5, weight=weight, color=colour, ha="center", va="center")  # fmt: skip
    for ax in axes[0]:
        ax.set_xlim(0, columns)
        ax.set_ylim(height, 0)
        ax.axis("off")
    if panels:
        handles = [
            Patch(facecolor=fill, hatch=hatch, edgecolor="#AA3322", linewidth=0, label=kind)
            for kind, (fill, hatch) in _TOKEN_FILLS.items()
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=8)
    else:
        axes[0][0].text(0, 0, "No task of this experiment passes unmarked and with STONE and breaks with a baseline.", va="top")
    return figure


_TOKEN_FILLS = {"green": ("#9FD8AE", None), "red": ("#F6C9C2", "////")}


def _lay_out(tokens: Sequence[TokenView], columns: int) -> list[tuple[int, int, str, str]]:
    """Row, column, characters and kind of the pieces of every token, without line ends and leading blank lines."""
    cells, row, column = [], 0, 0
    for token in tokens:
        for part in re.split(r"(\n)", token.text.replace("\t", "    ")):
            if part == "\n":
                row, column = row + 1, 0
                continue
            while part:
                if column >= columns:
                    row, column = row + 1, 0
                piece, part = part[: columns - column], part[columns - column :]
                cells.append((row, column, piece, token.kind))
                column += len(piece)
    return cells
