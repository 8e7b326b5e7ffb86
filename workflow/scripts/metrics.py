"""Collects the metrics of all models and datasets, and the STEM grid."""

from pathlib import Path

import pandas as pd

from stone.evaluation import grid_frame, metrics_rows
from stone.experiment import marked_cells
from stone.records import write_frame

frames = []
for paths in zip(snakemake.input.verdicts, snakemake.input.detections, snakemake.input.perplexities, strict=True):
    model, dataset = Path(paths[0]).parent.name, Path(paths[0]).stem
    parts = [pd.read_parquet(path) for path in paths]
    rows = metrics_rows(marked_cells(snakemake.config, dataset), *parts, resamples=snakemake.params.resamples)
    frames.append(rows.assign(model=model, dataset=dataset))
metrics = pd.concat(frames, ignore_index=True)
write_frame(snakemake.output.metrics, metrics)
write_frame(snakemake.output.grid, grid_frame(metrics))
