"""Collects the metrics of all models and datasets, and the STEM grid."""

from pathlib import Path

import pandas as pd

from stone.evaluation import grid_frame, metrics_rows, paired_rows
from stone.experiment import marked_cells
from stone.records import write_frame

frames, pairs = [], []
for paths in zip(snakemake.input.verdicts, snakemake.input.detections, snakemake.input.perplexities, strict=True):
    model, dataset = Path(paths[0]).parent.name, Path(paths[0]).stem
    parts = [pd.read_parquet(path) for path in paths]
    cells, resamples = marked_cells(snakemake.config, dataset), snakemake.params.resamples
    frames.append(metrics_rows(cells, *parts, resamples=resamples).assign(model=model, dataset=dataset))
    pairs.append(paired_rows(cells, *parts[:2], resamples=resamples).assign(model=model, dataset=dataset))
metrics = pd.concat(frames, ignore_index=True)
write_frame(snakemake.output.metrics, metrics)
write_frame(snakemake.output.grid, grid_frame(metrics))
write_frame(snakemake.output.pairs, pd.concat(pairs, ignore_index=True))
