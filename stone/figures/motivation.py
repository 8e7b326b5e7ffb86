"""The motivating example."""

import re
from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.patches import Patch, Rectangle

from stone.figures import style  # noqa: F401  (its settings)
from stone.tokenview import TokenView


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
