"""The paper's arithmetic: every printed number that follows from other printed numbers, recomputed.

A printed number stands for an interval, half a unit of its last digit to either side. What is recomputed from printed numbers is an
interval too; printed and recomputed differ beyond rounding where the two don't meet.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from stone.display import DATASET_NAMES, METHOD_NAMES
from stone.evaluation import WEIGHTS
from stone.metrics import imperceptibility, stem, stem_grid

PARTS = ("correctness", "detectability", "imperceptibility")


@dataclass(frozen=True)
class Interval:
    """A number known up to rounding."""

    value: float
    low: float
    high: float

    @classmethod
    def printed(cls, text: str) -> "Interval":
        """The interval of a printed decimal number: "0.571" is 0.5705 to 0.5715."""
        decimals = len(text.partition(".")[2])
        half = 0.5 * 10.0**-decimals
        return cls(float(text), float(text) - half, float(text) + half)

    def meets(self, other: "Interval") -> bool:
        return self.low <= other.high + 1e-9 and other.low <= self.high + 1e-9


def published(folder: Path) -> pd.DataFrame:
    """Every recomputed number of the tables transcribed in `folder`.

    Columns Table, Model, Dataset, Method, Quantity, Printed, Recomputed, Difference (printed - recomputed), Beyond rounding.
    """
    read = lambda name: pd.read_csv(folder / f"{name}.csv", dtype=str, keep_default_na=False)  # noqa: E731
    results, rows = read("results"), []
    for r in results[results.perplexity != ""].itertuples():
        low, high = (Interval.printed(p) for p in (r.perplexity_unmarked, r.perplexity))
        corners = [imperceptibility(m, u) for m in (high.low, high.high) for u in (low.low, low.high)]
        found = Interval(imperceptibility(high.value, low.value), min(corners), max(corners))
        rows.append(("codeip", r.model, r.dataset, r.method, "imperceptibility", r.imperceptibility, found))
    rows += _stem_rows(results, read("stem"))
    rows += _grid_rows(results[results.table == "main"], read("stem_grid"))
    rows += _unmarked_rows(results[results.table == "main"], read("unmarked"))
    rows += _statement_rows(results[results.table == "main"], read("timing"), read("statements"))
    return pd.DataFrame([_row(*row) for row in rows])


def _row(table: str, model: str, dataset: str, method: str, quantity: str, printed: str, found: Interval) -> dict:
    return {
        "Table": table,
        "Model": model,
        "Dataset": DATASET_NAMES.get(dataset, "all"),
        "Method": METHOD_NAMES.get(method, "all"),
        "Quantity": quantity,
        "Printed": float(printed),
        "Recomputed": found.value,
        "Difference": float(printed) - found.value,
        "Beyond rounding": not found.meets(Interval.printed(printed)),
    }


def _parts(row) -> list[Interval]:
    return [Interval.printed(getattr(row, part)) for part in PARTS]


def _stem(parts: list[Interval], weights) -> Interval:
    c, d, i = parts
    return Interval(*(stem(getattr(c, end), getattr(d, end), getattr(i, end), weights) for end in ("value", "low", "high")))


def _stem_rows(results: pd.DataFrame, printed: pd.DataFrame) -> Iterator[tuple]:
    parts = {(r.model, r.dataset, r.method): _parts(r) for r in results.itertuples()}
    for p in printed.itertuples():
        quantity = f"STEM, weights {p.weights}"
        yield (
            p.table,
            p.model,
            p.dataset,
            p.method,
            quantity,
            p.stem,
            _stem(parts[p.model, p.dataset, p.method], WEIGHTS[p.weights]),
        )


def _grid_rows(results: pd.DataFrame, printed: pd.DataFrame) -> Iterator[tuple]:
    """Share of first places of STONE, as computed, with those that it has whatever the rounding and those that it may have."""
    for p in printed.itertuples():
        group = results[results.dataset == p.dataset]
        points = stem_grid({r.method: tuple(i.value for i in _parts(r)) for r in group.itertuples()})
        sure, possible = _sure_and_possible({r.method: _parts(r) for r in group.itertuples()}, [q.weights for q in points])
        first, alone = sum("stone" in q.winners for q in points), sum(q.winners == ("stone",) for q in points)
        for quantity, count in (("first at the 66 weightings, percent", first), ("first alone, percent", alone)):
            found = Interval(*(100 * c / len(points) for c in (count, sure, possible)))
            yield "stem_grid", group.model.iloc[0], p.dataset, "stone", quantity, p.first_percent, found


def _sure_and_possible(parts: dict[str, list[Interval]], weightings: list) -> tuple[int, int]:
    sure = possible = 0
    for weights in weightings:
        scores = {method: _stem(values, weights) for method, values in parts.items()}
        stone = scores.pop("stone")
        sure += stone.low > max(s.high for s in scores.values())
        possible += stone.high >= max(s.low for s in scores.values())
    return sure, possible


def _unmarked_rows(results: pd.DataFrame, printed: pd.DataFrame) -> Iterator[tuple]:
    """The table of pass@1 prints the main table's Correctness."""
    main = {(r.dataset, r.method): r for r in results.itertuples()}
    for p in printed[printed.method != "none"].itertuples():
        r = main[p.dataset, p.method]
        yield (
            "unmarked",
            r.model,
            p.dataset,
            p.method,
            "correctness of the main table",
            p.correctness,
            Interval.printed(r.correctness),
        )


def _statement_rows(results: pd.DataFrame, timing: pd.DataFrame, statements: pd.DataFrame) -> Iterator[tuple]:
    printed = statements.set_index("name").printed
    right = results.assign(correctness=results.correctness.astype(float)).pivot(
        index="dataset", columns="method", values="correctness"
    )
    gain = lambda shift: 100 * (((right.stone + shift) / (right.sweet - shift)).mean() - 1)  # noqa: E731
    found = Interval(gain(0), gain(-0.0005), gain(0.0005))
    yield (
        "text",
        results.model.iloc[0],
        "",
        "stone",
        "mean gain of correctness over SWEET, percent",
        printed.correctness_gain,
        found,
    )
    seconds = timing.assign(s=timing.detection_s.astype(float)).pivot(index="dataset", columns="method", values="s")
    saved = lambda shift: 100 * (1 - pd.concat([(seconds.stone - shift) / (seconds[m] + shift) for m in ("sweet", "ewd")]).mean())  # noqa: E731
    found = Interval(saved(0), saved(-0.005), saved(0.005))
    quantity = "mean detection time saved against SWEET and EWD, percent"
    yield "text", results.model.iloc[0], "", "stone", quantity, printed.detection_time_saved, found
    split = [Interval.printed(v) for name, v in printed.items() if name.startswith("syntax_split_")]
    total = Interval(*(sum(getattr(i, end) for i in split) for end in ("value", "low", "high")))
    yield "text", results.model.iloc[0], "humanevalplus", "sweet", "sum of the split by category, percent", "100", total
