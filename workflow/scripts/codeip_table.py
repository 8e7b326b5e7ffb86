"""Writes the table on CodeIP."""

from pathlib import Path

import pandas as pd

from stone import tables

messages = [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input.messages]
printed = {name: pd.read_csv(Path(snakemake.params.published, f"{name}.csv")) for name in ("results", "stem")}
frame = tables.codeip(
    pd.read_parquet(snakemake.input.metrics), pd.concat(messages, ignore_index=True), printed["results"], printed["stem"]
)
tables.write_table(frame, Path(snakemake.output[0]).with_suffix(""))
