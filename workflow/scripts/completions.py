"""Generates the completions of one cell."""

import torch

from stone.experiment import parse_cell, watermark_settings
from stone.generation import Decoding, generate
from stone.models import load_model
from stone.progress import progress_bar
from stone.records import read_problems, write_jsonl
from stone.type_predictor import load_predictor
from stone.watermark import Watermark, WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, dataset = snakemake.config, snakemake.wildcards.dataset
cell = parse_cell(config, dataset, snakemake.wildcards.cell)
loaded = load_model(snakemake.params.model["path"], **{k: snakemake.params.model[k] for k in ("dtype", "device", "revision")})
mark = None
if cell.method != "none":
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    predictor = load_predictor(snakemake.input.type_predictor) if snakemake.input.type_predictor else None
    mark = Watermark(settings, loaded.tokenizer, settings.vocab_size or loaded.vocab_size, predictor)
problems = read_problems(snakemake.input.problems)
with progress_bar(f"generate {dataset} {cell.name}", "text", snakemake.log[0], len(problems) * snakemake.params.samples) as done:
    decoding = Decoding(**config["decoding"])
    texts = generate(loaded, problems, mark, snakemake.params.samples, snakemake.params.seed, decoding, done)
write_jsonl(snakemake.output[0], (c.to_record() for c in texts))
