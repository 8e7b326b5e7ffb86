"""Puts the shards of a model on a dataset together, one file per cell; post-hoc marks are put into the unmarked texts."""

from stone.experiment import parse_cells, watermark_settings
from stone.generation import Completion, mark_completions
from stone.models import load_tokenizer
from stone.records import read_jsonl, read_problems, write_cells
from stone.shards import merge
from stone.watermark import Watermark, WatermarkConfig

config, params, dataset = snakemake.config, snakemake.params, snakemake.wildcards.dataset
problems, model = read_problems(snakemake.input.problems), params.origin["model"]
merged = merge((read_jsonl(path) for path in snakemake.input.shards), params.drawn, problems, params.samples)
for cell in parse_cells(config, dataset, [name for name in params.cells if name not in params.drawn]):
    mark = Watermark(WatermarkConfig(**watermark_settings(config, dataset, cell)), load_tokenizer(model["path"], model["revision"]))
    plain = [Completion(**record) for record in merged["none"]]
    merged[cell.name] = [c.to_record() for c in mark_completions(mark, problems, plain)]
write_cells(snakemake.output[0], merged)
