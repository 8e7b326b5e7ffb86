"""Null controls of every method's detector at its strongest setting."""

import pandas as pd

from stone.controls import null_controls
from stone.experiment import parse_cell, watermark_settings
from stone.models import load_tokenizer
from stone.records import write_frame
from stone.watermark import WatermarkConfig

config, dataset = snakemake.config, snakemake.wildcards.dataset
tokenizer = load_tokenizer(snakemake.params.model["path"], snakemake.params.model["revision"])
texts = pd.read_parquet(snakemake.input[0])
frames = []
for cell in (parse_cell(config, dataset, name) for name in snakemake.params.cells):
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    found = null_controls(settings, cell, tokenizer, texts, snakemake.params.scope, dataset, snakemake.params.n_keys)
    frames.append(found.assign(**cell.setting))
write_frame(snakemake.output[0], pd.concat(frames, ignore_index=True))
