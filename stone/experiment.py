"""What a config asks for: cells, their watermarks, and where results lie. Pure functions; knows nothing of the workflow engine."""

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stone.datasets import LANGUAGE

TEXT_OF = {"ewd": "kgw"}  # methods that share another one's text: generated once
POST_HOC = ("acw",)  # methods that rewrite the unmarked text: no gamma, no delta


@dataclass(frozen=True)
class Cell:
    """One generation setting: unmarked ("none"), a method at gamma and delta, or a post-hoc method, which has neither."""

    method: str
    gamma: float | None = None
    delta: float | None = None

    @property
    def name(self) -> str:
        """Readable and complete: `none`, `stone-g0.5-d1.0`."""
        return self.method if self.gamma is None else f"{self.method}-{self.point_name}"

    @property
    def point(self) -> tuple[float, float]:
        """gamma and delta. Raises ValueError for unmarked and post-hoc text."""
        if self.gamma is None or self.delta is None:
            raise ValueError(f"cell {self.method!r} has no gamma and delta")
        return float(self.gamma), float(self.delta)

    @property
    def point_name(self) -> str:
        gamma, delta = self.point
        return f"g{gamma!r}-d{delta!r}"

    @property
    def setting(self) -> dict[str, Any]:
        """Columns method, gamma, delta of a frame's rows; NaN for what the cell has not."""
        gamma, delta = (math.nan if value is None else value for value in (self.gamma, self.delta))
        return {"method": self.method, "gamma": gamma, "delta": delta}

    @property
    def text(self) -> "Cell":
        """The cell whose completions this one is scored on (EWD reads KGW's)."""
        return Cell(TEXT_OF.get(self.method, self.method), self.gamma, self.delta)


NONE = Cell("none")


def marked_cells(config: Mapping[str, Any], dataset: str) -> list[Cell]:
    """Cells that are scored for a dataset, in the config's order: methods x points, then sweeps; a post-hoc method once."""
    points = config["points"].get(dataset, config["points"]["default"])
    cells = [_cell(method, p["gamma"], p["delta"]) for p in points for method in config["methods"]]
    for sweep in config["sweeps"]:
        if sweep["dataset"] in (None, dataset):
            cells += [_cell(m, g, d) for m in sweep["methods"] for g in sweep["gammas"] for d in sweep["deltas"]]
    return list(dict.fromkeys(cells))


def _cell(method: str, gamma: float, delta: float) -> Cell:
    return Cell(method) if method in POST_HOC else Cell(method, gamma, delta)


def text_cells(config: Mapping[str, Any], dataset: str) -> list[Cell]:
    """Cells whose completions are generated: the unmarked one, and each distinct text of the marked ones."""
    return list(dict.fromkeys([NONE, *(cell.text for cell in marked_cells(config, dataset))]))


def parse_cells(config: Mapping[str, Any], dataset: str, names: Sequence[str]) -> list[Cell]:
    """The cells of names. Raises ValueError for a name that the config does not ask for."""
    known = {cell.name: cell for cell in [*text_cells(config, dataset), *marked_cells(config, dataset)]}
    for name in names:
        if name not in known:
            raise ValueError(f"cell {name!r} is not in this experiment's {dataset}; its cells are {', '.join(known)}")
    return [known[name] for name in names]


def parse_cell(config: Mapping[str, Any], dataset: str, name: str) -> Cell:
    """The cell of a name. Raises ValueError for a name that the config does not ask for."""
    return parse_cells(config, dataset, [name])[0]


def watermark_settings(config: Mapping[str, Any], dataset: str, cell: Cell) -> dict[str, Any]:
    """Keyword arguments of `WatermarkConfig` for a marked cell."""
    point = {} if cell.gamma is None else {"gamma": cell.gamma, "delta": cell.delta}
    return {**config["watermark"], "method": cell.method, **point, "language": LANGUAGE[dataset]}


def needs_type_predictor(config: Mapping[str, Any], dataset: str, names: Sequence[str]) -> bool:
    """Do some of the named cells of a dataset take CodeIP's type predictor to be written?"""
    return config["watermark"]["type_bias"] > 0 and any(cell.method == "codeip" for cell in parse_cells(config, dataset, names))


def insertion_settings(config: Mapping[str, Any]) -> dict[str, Any]:
    """The watermark's settings that a marked text depends on; the others only change how it is scored."""
    return {k: v for k, v in config["watermark"].items() if k not in ("distinct", "statistic")}


def source_digest(package: Path, modules: Sequence[str]) -> str:
    """Digest of the library modules that a stage uses, so that editing them reruns it (and touching them doesn't)."""
    digest = hashlib.sha256()
    for module in modules:
        path = package / module
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]
