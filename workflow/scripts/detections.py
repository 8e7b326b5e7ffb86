"""Scores human, unmarked and marked texts with every method's detector."""

import pandas as pd

from stone.experiment import parse_cells, watermark_settings
from stone.models import load_tokenizer
from stone.records import write_frame
from stone.scan import detect_all
from stone.watermark import Watermark, WatermarkConfig

config, dataset = snakemake.config, snakemake.wildcards.dataset
tokenizer = load_tokenizer(snakemake.params.model["path"], snakemake.params.model["revision"])
texts = pd.read_parquet(snakemake.input[0])
frames = []
for cell in parse_cells(config, dataset, snakemake.params.cells):
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    mark = Watermark(settings, tokenizer, vocab_size=settings.vocab_size or int(texts.vocab_size[0]))
    frames.append(detect_all(mark, cell, texts, snakemake.params.scope, dataset))
write_frame(snakemake.output[0], pd.concat(frames, ignore_index=True))
