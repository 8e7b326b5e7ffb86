"""What all figures share: one style, panels by model and dataset, files."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from stone.display import DATASET_NAMES

mpl.rcParams.update(
    {
        "font.family": "DejaVu Sans",
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.linewidth": 0.6,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.grid": True,
        "grid.color": "#e6e6e6",
        "grid.linewidth": 0.6,
        "axes.axisbelow": True,
        "legend.frameon": False,
        "hatch.linewidth": 0.6,
        "pdf.fonttype": 42,
        "savefig.dpi": 200,
    }
)
WIDTH = 7.2  # inches, of a text block over two columns


def write_figure(figure: Figure, stem: Path) -> None:
    """Write stem.pdf (fonts embedded) and stem.png, without dates, so that equal figures are equal files."""
    stem.parent.mkdir(parents=True, exist_ok=True)
    for kind, metadata in (("pdf", {"CreationDate": None}), ("png", {})):
        part = f"{stem}.{kind}.part"
        figure.savefig(part, format=kind, bbox_inches="tight", metadata=metadata)
        os.replace(part, f"{stem}.{kind}")


def facets(
    frame: pd.DataFrame, height: float, rows: Sequence[str] = (), sharex: bool = False
) -> tuple[Figure, list[tuple[Axes, pd.DataFrame]]]:
    """A figure with a panel per dataset (columns) and model (rows), further rows by the given columns, and the panels' data.

    Titles name the dataset, the model where there are several, and gamma and delta where a panel has one setting. height : of a row, inches.
    """
    datasets, models = order(frame.dataset, DATASET_NAMES), frame.model.nunique()
    keys = ["model", *rows]
    kinds = list(frame[keys].drop_duplicates().itertuples(index=False, name=None))
    figure = Figure(figsize=(min(WIDTH, 2.3 * len(datasets) + 1), height * len(kinds) + 0.5), layout="constrained")
    axes = figure.subplots(len(kinds), len(datasets), squeeze=False, sharey="row", sharex="col" if sharex else False)
    panels = []
    for k, (row, kind) in enumerate(zip(axes, kinds, strict=True)):
        for ax, dataset in zip(row, datasets, strict=True):
            here = frame[(frame[keys] == list(kind)).all(axis=1) & (frame.dataset == dataset)]
            lines = [DATASET_NAMES[dataset]]
            if models > 1:
                lines.append(str(kind[0]))
            settings = here.reindex(columns=["gamma", "delta"]).dropna().drop_duplicates()
            if len(settings) == 1:
                lines.append(f"γ = {settings.gamma.iloc[0]:g}, δ = {settings.delta.iloc[0]:g}")
            if k == 0 or kind[0] != kinds[k - 1][0]:
                ax.set_title("\n".join(lines))
            panels.append((ax, here))
    return figure, panels


def first_column(panels: Iterable[tuple[Axes, pd.DataFrame]]) -> list[tuple[Axes, pd.DataFrame]]:
    return [(ax, here) for ax, here in panels if (spec := ax.get_subplotspec()) and spec.is_first_col()]


def last_row(panels: Iterable[tuple[Axes, pd.DataFrame]]) -> list[Axes]:
    return [ax for ax, _ in panels if (spec := ax.get_subplotspec()) and spec.is_last_row()]


def legend_below(figure: Figure, panels: Iterable[tuple[Axes, pd.DataFrame]]) -> None:
    """One legend under the panels, with every label that any of them has."""
    found: dict[str, Any] = {}
    for ax, _ in panels:
        found |= {label: handle for handle, label in zip(*ax.get_legend_handles_labels(), strict=True) if label not in found}
    figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=min(6, len(found)))


def order(values: Iterable[str], known: Iterable[str]) -> list[str]:
    present = set(values)
    return [name for name in known if name in present]


def at_one_point(frame: pd.DataFrame) -> pd.DataFrame:
    """Of each model and dataset the rows of one gamma and delta: the setting of most methods, of these the one of largest delta; beside
    them post-hoc methods, which have neither."""

    def chosen(here: pd.DataFrame) -> pd.DataFrame:
        methods = here.groupby(["delta", "gamma"]).method.nunique().sort_index()
        if methods.empty:
            return here
        delta, gamma = methods[methods == methods.max()].index[-1]
        return here[((here.gamma == gamma) & (here.delta == delta)) | here.delta.isna()]

    return pd.concat([chosen(here) for _, here in frame.groupby(["model", "dataset"], sort=False)])
