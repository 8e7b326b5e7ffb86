"""A text token by token: green, red, syntax or unscored, as a self-contained HTML page or as colours in a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from stone.scoring import z_score
from stone.syntax import CATEGORIES

if TYPE_CHECKING:
    from stone.watermark import Detection, Watermark

KINDS = ("green", "red", "syntax", "unscored")


@dataclass(frozen=True)
class TokenView:
    """One token: its characters, kind (one of `KINDS`), syntax class ("" if none), the tokens that seed its list, its weight, and z so far."""

    text: str
    kind: str
    syntax: str
    context: str
    weight: float
    z: float


def encode(tokenizer, text: str) -> tuple[list[int], list[str]]:
    """Ids, and the characters that each adds (a character of several tokens belongs to the last of them)."""
    encoded = tokenizer(text, add_special_tokens=False, return_offsets_mapping=True)
    pieces, done = [], 0
    for _, end in encoded["offset_mapping"]:
        pieces.append(text[done : max(done, end)])
        done = max(done, end)
    return encoded["input_ids"], pieces


def views(mark: Watermark, ids: list[int], pieces: list[str], found: Detection) -> list[TokenView]:
    """How each token of a text was scored."""
    classes = mark.classes_of(np.asarray(ids, dtype=np.int64))
    h, gamma = mark.config.context, mark.config.gamma
    rows = []
    for i, piece in enumerate(pieces):
        scored = found.weights[i] > 0
        name = CATEGORIES[classes[i]] if classes[i] else ""
        kind = ("green" if found.flags[i] == 1 else "red") if scored else ("syntax" if name else "unscored")
        z = z_score(found.flags[: i + 1] == 1, found.weights[: i + 1], gamma)
        rows.append(TokenView(piece, kind, name, "".join(pieces[max(0, i - h) : i]), float(found.weights[i]), z))
    return rows


_STYLES = {"green": "black on green3", "red": "white on red3", "syntax": "bold", "unscored": "dim"}


def to_terminal(rows: list[TokenView]) -> Text:
    """Colours; syntax is bold, what does not count is dim."""
    text = Text()
    for row in rows:
        text.append(row.text, style=_STYLES[row.kind])
    return text


def spans(rows: list[TokenView]) -> str:
    """HTML spans of the tokens; hovering tells class, context, weight and running z."""
    return "".join(f'<span class="{r.kind}" title="{escape(_hint(r), quote=True)}">{escape(r.text)}</span>' for r in rows)


def _hint(row: TokenView) -> str:
    counted = f"weight {row.weight:.3g}" if row.weight else "does not count"
    return f"{row.kind}{f', {row.syntax}' if row.syntax else ''}; after {row.context!r}; {counted}; z so far {row.z:.2f}"


CSS = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; color: #1b1b1b; background: #fff; }
pre.tokens { font: 13px/1.7 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; border: 1px solid #ccc; padding: 1rem; }
.tokens span { border-radius: 2px; }
.green { background: #b7e4c0; border-bottom: 2px solid #1a7f37; }
.red { background: #f9c9c4; border-bottom: 2px dotted #b42318; }
.syntax { font-weight: 700; color: #333; }
.unscored { color: #767676; }
.legend span { padding: 0 .4em; margin-right: .6em; }
"""


def to_html(title: str, summary: str, rows: list[TokenView]) -> str:
    """A page of its own: no script, nothing loaded from elsewhere."""
    legend = "".join(f'<span class="{kind}">{kind}</span>' for kind in KINDS)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{CSS}</style></head><body>\n<h1>{escape(title)}</h1>\n<p>{escape(summary)}</p>\n"
        f'<p class="legend">{legend}</p>\n<pre class="tokens">{spans(rows)}</pre>\n</body></html>\n'
    )
