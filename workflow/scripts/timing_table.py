"""The table of insertion and detection times."""

from pathlib import Path

import pandas as pd

from stone.tables import timing, write_table

frames = [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input]
printed = pd.read_csv(Path(snakemake.params.published) / "timing.csv")
write_table(timing(pd.concat(frames, ignore_index=True), printed), Path(snakemake.output[0]).with_suffix(""))
