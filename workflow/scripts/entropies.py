"""Token ids and entropies of human solutions and of all texts of one model on one dataset."""

import torch

from stone.experiment import parse_cells
from stone.models import load_model
from stone.progress import progress_bar
from stone.records import read_cells, read_jsonl, read_problems, write_frame
from stone.scan import OTHER, scan_texts

torch.set_num_threads(snakemake.threads)
config, dataset = snakemake.config, snakemake.wildcards.dataset
cells = parse_cells(config, dataset, snakemake.params.cells)
loaded = load_model(snakemake.params.model["path"], **{k: snakemake.params.model[k] for k in ("dtype", "device", "revision")})
completions = read_cells(snakemake.input.completions[0], snakemake.params.texts)
completions[OTHER] = [
    {**r, "token_ids": loaded.tokenizer(r["text"], add_special_tokens=False)["input_ids"]}
    for r in read_jsonl(snakemake.input.other)
]
with progress_bar(f"entropies {dataset}", "text", snakemake.log[0]) as done:
    frame = scan_texts(loaded, read_problems(snakemake.input.problems), completions, cells, done)
write_frame(snakemake.output[0], frame)
