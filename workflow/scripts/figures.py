"""Draws every figure as PDF and PNG."""

from pathlib import Path

import pandas as pd

from stone import figures
from stone.scan import read_texts

metrics, grid = pd.read_parquet(snakemake.input.metrics), pd.read_parquet(snakemake.input.grid)
detections = pd.concat(
    [pd.read_parquet(p).assign(model=Path(p).parent.name, dataset=Path(p).stem) for p in snakemake.input.detections],
    ignore_index=True,
)
tokens = read_texts(snakemake.input.entropies, snakemake.params.models, snakemake.params.watermark["match"])
made = {
    "entropy_by_type": figures.entropy_by_type(tokens),
    "tradeoff_bubble": figures.tradeoff_bubble(metrics),
    "roc": figures.roc(detections),
    "z_histogram": figures.z_histogram(detections),
    "stem_ternary": figures.stem_ternary(grid),
}
for name, figure in made.items():
    figures.write_figure(figure, Path(snakemake.output[0]).parent / name)
