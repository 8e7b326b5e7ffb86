"""The judge's perplexity of every program (prompt and completion)."""

import pandas as pd
import torch

from stone.models import load_model
from stone.perplexity import perplexities
from stone.progress import progress_bar
from stone.records import read_cells, read_problems, write_frame

torch.set_num_threads(snakemake.threads)
judge = load_model(snakemake.params.judge["path"], **{k: snakemake.params.judge[k] for k in ("dtype", "device", "revision")})
prompts = {p.task_id: p.prompt for p in read_problems(snakemake.input.problems)}
frame = pd.DataFrame(
    [
        (cell, c["task_id"], c["sample"], prompts[c["task_id"]] + c["text"])
        for cell, completions in read_cells(snakemake.input.completions[0], snakemake.params.texts).items()
        for c in completions
    ],
    columns=["cell", "task_id", "sample", "text"],
)
texts = frame.text.unique().tolist()
with progress_bar(f"perplexity {snakemake.wildcards.dataset}", "text", snakemake.log[0], len(texts)) as done:
    value_of = dict(zip(texts, perplexities(judge, texts, max_tokens=snakemake.params.max_tokens, progress=done), strict=True))
write_frame(snakemake.output[0], frame.assign(perplexity=frame.text.map(value_of)).drop(columns="text"))
