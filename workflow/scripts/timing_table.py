"""The table of insertion and detection times."""

from pathlib import Path

import pandas as pd

from stone.tables import read_paper, timing, write_table

frames = [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input]
printed = read_paper(Path(snakemake.params.published))["timing"]
write_table(timing(pd.concat(frames, ignore_index=True), printed), Path(snakemake.output[0]).with_suffix(""))
