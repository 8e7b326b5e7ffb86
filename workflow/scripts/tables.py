"""Writes every table as csv, Markdown and LaTeX."""

from pathlib import Path

import pandas as pd

from stone import tables
from stone.scan import read_texts

metrics, grid = pd.read_parquet(snakemake.input.metrics), pd.read_parquet(snakemake.input.grid)
tokens = read_texts(snakemake.input.entropies, snakemake.params.models, snakemake.params.watermark["match"])
made = {
    "main": tables.main(metrics),
    "unmarked": tables.unmarked(metrics),
    "stem_weights": tables.stem_weights(metrics),
    "stem_grid": tables.stem_grid_shares(grid),
    "sweet_selection": tables.sweet_selection(tokens),
    "ablation": tables.ablation(pd.read_parquet(snakemake.input.pairs)),
    "syntax_elements": tables.syntax_elements(),
    "syntax_examples": tables.syntax_examples(tokens, snakemake.params.watermark["entropy_threshold"]),
}
for name, frame in made.items():
    tables.write_table(frame, Path(snakemake.output[0]).parent / name)
