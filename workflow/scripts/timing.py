"""Times marking and detecting."""

import torch

from stone.experiment import parse_cell, watermark_settings
from stone.models import load_model
from stone.records import read_problems, write_frame
from stone.timing import time_methods
from stone.type_predictor import load_predictor
from stone.watermark import Watermark, WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, dataset, params = snakemake.config, snakemake.wildcards.dataset, snakemake.params
loaded = load_model(params.model["path"], **{k: params.model[k] for k in ("dtype", "device", "revision")})
marks = {"none": None}
for cell in (parse_cell(config, dataset, name) for name in params.cells):
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    predictor = load_predictor(snakemake.input.type_predictor) if cell.method == "codeip" and settings.type_bias else None
    marks[cell.method] = Watermark(settings, loaded.tokenizer, settings.vocab_size or loaded.vocab_size, predictor)
problems = read_problems(snakemake.input.problems)[: params.timing["problems"]]
write_frame(snakemake.output[0], time_methods(loaded, problems, marks, params.timing["tokens"], params.timing["repeats"]))
