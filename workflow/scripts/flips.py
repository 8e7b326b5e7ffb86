"""Where the mark changed what the same noise would have drawn."""

import pandas as pd
import torch

from stone.experiment import parse_cell
from stone.flips import flips
from stone.generation import Decoding
from stone.models import load_model
from stone.progress import progress_bar
from stone.records import read_problems, write_frame

torch.set_num_threads(snakemake.threads)
dataset, params = snakemake.wildcards.dataset, snakemake.params
loaded = load_model(params.model["path"], **{k: params.model[k] for k in ("dtype", "device", "revision")})
names = {parse_cell(snakemake.config, dataset, name).text.name for name in params.cells} | {"none"}
texts = pd.read_parquet(snakemake.input.entropies, columns=["cell", "task_id", "sample", "prompt_length", "ids"])
texts = texts[texts.cell.isin(names)].reset_index(drop=True)
problems = read_problems(snakemake.input.problems)
with progress_bar(f"flips {dataset}", "text", snakemake.log[0], len(texts)) as done:
    frame = flips(loaded, problems, texts, params.seed, Decoding(**params.decoding), params.match, done)
write_frame(snakemake.output[0], frame)
