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
frames = [pd.DataFrame({"method": [], "gamma": [], "delta": [], "right": [], "bit_accuracy": []})]
for cell in (parse_cell(config, dataset, name) for name in snakemake.params.cells):
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    found = read_messages(partition(settings), texts[texts.cell == cell.name], settings.distinct, device)
    frames.append(found.assign(method=cell.method, gamma=cell.gamma, delta=cell.delta, bits=settings.message_bits))
write_frame(snakemake.output[0], pd.concat(frames[1:] or frames, ignore_index=True))
