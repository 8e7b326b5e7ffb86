"""Figures of the detectors' scores, and how long a text must be."""

from pathlib import Path

import pandas as pd

from stone import figures, tables
from stone.evaluation import green_shares

folder = Path(snakemake.output[0]).parent
detections = pd.concat(
    [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input], ignore_index=True
)
shares = green_shares(detections, snakemake.params.resamples)
tables.write_table(tables.power(shares), folder / "power")
drawn = {
    "roc": figures.roc(detections),
    "z_histogram": figures.z_histogram(detections),
    "z_length": figures.z_length(detections),
    "power": figures.power(shares),
}
for name, figure in drawn.items():
    figures.write_figure(figure, folder.parent / "figures" / name)
