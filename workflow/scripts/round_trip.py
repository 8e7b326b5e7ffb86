"""Decodes and encodes marked texts, and scores them before and after."""

from pathlib import Path

import pandas as pd

from stone import tables
from stone.experiment import marked_cells, watermark_settings
from stone.models import load_tokenizer
from stone.scan import round_trip
from stone.watermark import Watermark, WatermarkConfig

frames = []
for path in map(Path, snakemake.input):
    model, dataset = path.parent.name, path.stem
    loaded = snakemake.params.models[model]
    tokenizer = load_tokenizer(loaded["path"], loaded["revision"])
    texts = pd.read_parquet(path, columns=["cell", "task_id", "sample", "vocab_size", "prompt_length", "ids"])
    for cell in marked_cells(snakemake.config, dataset):
        settings = WatermarkConfig(**watermark_settings(snakemake.config, dataset, cell))
        mark = Watermark(settings, tokenizer, vocab_size=settings.vocab_size or int(texts.vocab_size[0]))
        if mark.method.reads is None:
            frames.append(round_trip(mark, cell, texts).assign(model=model, dataset=dataset))
table = tables.round_trip(pd.concat(frames, ignore_index=True))
tables.write_table(table, Path(snakemake.output[0]).with_suffix(""))
