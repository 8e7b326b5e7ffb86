"""Tables as files: csv in full precision, Markdown and booktabs LaTeX as a reader wants them."""

import re
from pathlib import Path

import pandas as pd

from stone.records import write_text

ROWS = 45  # of one LaTeX tabular, so that it fits a page; longer tables are continued in further ones
_HEADINGS = {"gamma": "γ", "delta": "δ"}
_EXACT = ("gamma", "delta", "Threshold", "Paper: ")  # as given or as printed; everything else has three decimals


def write_table(frame: pd.DataFrame, stem_path: Path, empty: str = "No rows.") -> None:
    """Write stem_path.csv, .md and .tex; missing values are dashes in the latter two, and a table without rows says `empty`.

    The LaTeX takes packages array, booktabs and graphicx; a table wider than the line is scaled down to it.
    """
    stem_path.parent.mkdir(parents=True, exist_ok=True)
    write_text(f"{stem_path}.csv", frame.to_csv(index=False))
    cells = shown(frame).rename(columns=_HEADINGS)
    write_text(f"{stem_path}.md", _markdown(cells) if len(cells) else _markdown(cells) + f"\n{empty}\n")
    write_text(f"{stem_path}.tex", _latex(cells) if len(cells) else f"{_escaped(empty)}\n")


def shown(frame: pd.DataFrame) -> pd.DataFrame:
    """The cells as text: three decimals, settings and printed numbers with as many as they have, missing values as dashes."""
    return pd.DataFrame(
        {name: [_cell(value, str(name).startswith(_EXACT), column) for value in column] for name, column in frame.items()}
    )


def _cell(value, exact: bool, column: pd.Series) -> str:
    if pd.isna(value):
        return "–"
    if not isinstance(value, float):
        return str(value)
    return f"{value:.{_decimals(column) if exact else 3}f}"


def _decimals(column: pd.Series) -> int:
    """The fewest decimals, up to three, that show every number of the column."""
    return next((d for d in range(3) if (column.round(d) - column).abs().max() < 1e-9), 3)


def _numeric(column: pd.Series) -> bool:
    """Whether a column of text holds numbers, intervals of numbers and dashes only."""
    return column.str.fullmatch(r"[-–\d., \[\]]*").all()


def _markdown(cells: pd.DataFrame) -> str:
    escape = lambda text: str(text).replace("|", "\\|")  # noqa: E731
    rules = ["---:" if len(cells) and _numeric(cells[name]) else "---" for name in cells]
    lines = [list(map(escape, cells.columns)), rules, *([escape(v) for v in row] for row in cells.to_numpy())]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
                       "\\": r"\textbackslash{}", "–": "--", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
                       "'": r"\textquotesingle{}", "`": r"\textasciigrave{}", "-": "-{}", "[": "{[}", "*": "{*}",
                       "α": r"$\alpha$", "β": r"$\beta$", "γ": r"$\gamma$", "δ": r"$\delta$", "ζ": r"$\zeta$"})  # fmt: skip


def _escaped(text: str) -> str:
    """LaTeX that prints the text; a leading minus of a number is one."""
    number = re.fullmatch(r"-(\d[\d.]*)", text)
    return f"$-${number[1]}" if number else text.translate(_LATEX)


def _latex(cells: pd.DataFrame) -> str:
    long = [name for name in cells if cells[name].str.len().max() > 80]
    width = rf"p{{{0.85 / max(1, len(long)):.2f}\linewidth}}"
    kinds = "".join(
        rf">{{\raggedright\arraybackslash}}{width}" if name in long else "r" if _numeric(cells[name]) else "l" for name in cells
    )
    rows = [" & ".join(map(_escaped, row)) + r" \\" for row in [cells.columns, *cells.to_numpy()]]
    parts = []
    for start in range(1, len(rows), ROWS):
        body = [r"\toprule", rows[0], r"\midrule", *rows[start : start + ROWS], r"\bottomrule"]
        parts += [_FIT, rf"\begin{{tabular}}{{{kinds}}}", *body, r"\end{tabular}}", ""]
    return "% \\usepackage{array, booktabs, graphicx}\n" + "\n".join(parts)


_FIT = r"\noindent\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
