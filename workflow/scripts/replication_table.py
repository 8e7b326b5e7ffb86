"""Writes the table on replication under other keys."""

from pathlib import Path

import pandas as pd

from stone import tables

pairs = [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input]
tables.write_table(tables.ablation(pd.concat(pairs, ignore_index=True)), Path(snakemake.output[0]).with_suffix(""))
