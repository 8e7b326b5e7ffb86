"""The table and the figure of the attacks."""

from pathlib import Path

import pandas as pd

from stone.figures import attacks as draw
from stone.figures import write_figure
from stone.tables import attacks, write_table

found = pd.concat(
    [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input], ignore_index=True
)
write_table(attacks(found), Path(snakemake.output[0]).with_suffix(""))
write_figure(draw(found), Path(snakemake.output[0]).parents[1] / "figures" / "attacks")
