"""Tables of the null controls and of the flips."""

from pathlib import Path

import pandas as pd

from stone.display import CATEGORY_NAMES
from stone.experiment import parse_cell
from stone.flips import flip_table
from stone.tables import named, write_table

folder, given = Path(snakemake.output[0]).parent, snakemake.input
controls, flips = [], []
for paths in zip(given.controls, given.flips, given.verdicts, strict=True):
    model, dataset = Path(paths[0]).parent.name, Path(paths[0]).stem
    where = {"model": model, "dataset": dataset}
    control, flip, verdicts = map(pd.read_parquet, paths)
    controls.append(control.assign(**where))
    table = flip_table(flip, verdicts)
    cells = [parse_cell(snakemake.config, dataset, name) for name in table.cell]
    setting = pd.DataFrame([c.setting for c in cells], columns=["method", "gamma", "delta"])
    flips.append(table.assign(**where, **setting, Class=table.category.map(CATEGORY_NAMES)))


def ordered(frame: pd.DataFrame, *names: str) -> pd.DataFrame:
    """The keys first, then the numbers as they come."""
    keys = ["model", "dataset", "gamma", "delta", "method", *names]
    return named(frame[[*keys, *(c for c in frame if c not in (*keys, "cell", "category"))]])


write_table(ordered(pd.concat(controls, ignore_index=True)), folder / "controls")
write_table(ordered(pd.concat(flips, ignore_index=True), "Class"), folder / "flips")
