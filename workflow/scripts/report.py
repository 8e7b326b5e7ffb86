"""Writes the HTML page."""

import json
from pathlib import Path

import pandas as pd

from stone.experiment import marked_cells, watermark_settings
from stone.models import load_tokenizer
from stone.records import write_text
from stone.report import page, samples, stage_times
from stone.watermark import Watermark, WatermarkConfig

config, given = snakemake.config, snakemake.input
shown = []
for entropies, verdicts in zip(given.entropies, given.verdicts, strict=True):
    model, dataset = Path(entropies).parent.name, Path(entropies).stem
    cells = [c for c in marked_cells(config, dataset) if c.method == "stone"]
    texts = pd.read_parquet(entropies, columns=["cell", "task_id", "sample", "prompt_length", "ids", "vocab_size"])
    for cell in cells[-1:]:
        settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
        tokenizer = load_tokenizer(config["models"][model]["path"], config["models"][model]["revision"])
        mark = Watermark(settings, tokenizer, vocab_size=settings.vocab_size or int(texts.vocab_size[0]))
        shown += samples(texts, pd.read_parquet(verdicts), cell, mark, dataset, model)
captions = {path.stem: path.read_text().strip() for path in Path(snakemake.params.captions).glob("*.rst")}
write_text(
    snakemake.output[0],
    page(
        experiment=config["experiment"],
        metrics=pd.read_parquet(given.metrics),
        tables={Path(path).stem: Path(path) for path in given.tables},
        figures={Path(path).stem: Path(path) for path in given.figures},
        captions=captions,
        samples=shown,
        times=stage_times(Path(snakemake.params.times)),
        manifest=json.loads(Path(given.manifest).read_text()),
    ),
)
