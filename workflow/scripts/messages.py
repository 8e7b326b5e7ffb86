"""Reads the message from every CodeIP text of one model on one dataset."""

import pandas as pd
import torch

from stone.experiment import parse_cell, watermark_settings
from stone.message import read_messages
from stone.methods.codeip import partition
from stone.records import write_frame
from stone.watermark import WatermarkConfig

config, dataset = snakemake.config, snakemake.wildcards.dataset
texts = pd.read_parquet(snakemake.input[0], columns=["cell", "task_id", "sample", "prompt_length", "ids"])
device = "cuda" if torch.cuda.is_available() else "cpu"
frames = []
for cell in (parse_cell(config, dataset, name) for name in snakemake.params.cells):
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    for distinct in (False, True):
        found = read_messages(partition(settings), texts[texts.cell == cell.name], distinct, device)
        frames.append(found.assign(delta=cell.delta, bits=settings.message_bits, distinct=distinct))
write_frame(snakemake.output[0], pd.concat(frames, ignore_index=True) if frames else pd.DataFrame({"delta": []}))
