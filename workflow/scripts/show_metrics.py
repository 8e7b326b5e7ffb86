"""Tables and figures of the metrics."""

from pathlib import Path

import pandas as pd

from stone import figures, tables

given, folder = snakemake.input, Path(snakemake.output[0]).parent
metrics, grid, pairs = map(pd.read_parquet, (given.metrics, given.grid, given.pairs))
paper = tables.read_paper(Path(snakemake.params.published))
tables.write_table(tables.main(metrics, paper["main"]), folder / "main")
one_model = "This experiment has one model; its results are in the table main."
tables.write_table(tables.further_models(metrics, paper["llama"]), folder / "llama", empty=one_model)
tables.write_table(tables.unmarked(metrics, paper["unmarked"]), folder / "unmarked")
tables.write_table(tables.stem_weights(metrics, paper["stem_weights"]), folder / "stem_weights")
tables.write_table(tables.stem_grid_shares(grid, paper["stem_grid"]), folder / "stem_grid")
tables.write_table(tables.ablation(pairs), folder / "ablation")
figures.write_figure(figures.tradeoff_bubble(metrics), folder.parent / "figures/tradeoff_bubble")
figures.write_figure(figures.stem_ternary(grid), folder.parent / "figures/stem_ternary")
