"""Turns on the deviations of the released code one by one, on code without a mark."""

from pathlib import Path

import pandas as pd

from stone.audit import audit
from stone.datasets import LANGUAGE
from stone.models import load_tokenizer
from stone.tables import named, write_table

frames = []
for path in map(Path, snakemake.input):
    model, dataset = path.parent.name, path.stem
    settings = snakemake.params.models[model]
    points = snakemake.params.points
    # The audit turns the released settings on by itself: it starts from the paper's.
    paper = {k: v for k, v in snakemake.params.watermark.items() if k in ("key", "partition", "match")}
    point = points.get(dataset, points["default"])[0]
    texts = pd.read_parquet(path, columns=["cell", "task_id", "sample", "vocab_size", "prompt_length", "ids"])
    tokenizer = load_tokenizer(settings["path"], settings["revision"])
    frame = audit(texts, tokenizer, {**paper, **point, "language": LANGUAGE[dataset]}, dataset)
    frames.append(frame.assign(model=model)[["model", *frame.columns]])
write_table(named(pd.concat(frames, ignore_index=True)), Path(snakemake.output[0]).with_suffix(""))
