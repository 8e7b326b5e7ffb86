"""Unmarked texts of another model, the judge: detectors must take them for what they are."""

import torch

from stone.generation import Decoding, generate
from stone.models import load_model
from stone.records import read_problems, write_jsonl

torch.set_num_threads(snakemake.threads)
judge = snakemake.params.judge
loaded = load_model(judge["path"], **{k: judge[k] for k in ("dtype", "device", "revision")})
decoding = Decoding(**snakemake.config["decoding"])
texts = generate(loaded, read_problems(snakemake.input[0]), None, samples=1, seed=snakemake.params.seed, decoding=decoding)
write_jsonl(snakemake.output[0], (c.to_record() for c in texts))
