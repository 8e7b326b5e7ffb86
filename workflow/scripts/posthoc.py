"""Puts a post-hoc mark into the unmarked completions."""

from stone.experiment import parse_cell, watermark_settings
from stone.generation import Completion, mark_completions
from stone.models import load_tokenizer
from stone.records import read_jsonl, read_problems, write_jsonl
from stone.watermark import Watermark, WatermarkConfig

config, dataset, model = snakemake.config, snakemake.wildcards.dataset, snakemake.params.model
cell = parse_cell(config, dataset, snakemake.wildcards.cell)
mark = Watermark(WatermarkConfig(**watermark_settings(config, dataset, cell)), load_tokenizer(model["path"], model["revision"]))
plain = (Completion(**record) for record in read_jsonl(snakemake.input.completions))
write_jsonl(snakemake.output[0], (c.to_record() for c in mark_completions(mark, read_problems(snakemake.input.problems), plain)))
