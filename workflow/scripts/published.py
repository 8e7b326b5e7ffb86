"""Recomputes the paper's printed numbers and names those that don't follow."""

from pathlib import Path

from stone.published import published
from stone.tables import write_table

frame = published(Path(snakemake.input[0]).parent)
write_table(frame, Path(snakemake.output[0]).with_suffix(""))
for row in frame[frame["Beyond rounding"]].itertuples():
    print(f"{row.Table}, {row.Dataset}, {row.Method}, {row.Quantity}: printed {row.Printed}, recomputed {row.Recomputed:.4f}")
