"""Times marking and detecting."""

from pathlib import Path

import torch

from stone.datasets import LANGUAGE
from stone.experiment import needs_type_predictor, parse_cell, watermark_settings
from stone.models import load_model
from stone.records import read_problems, write_frame
from stone.timing import time_methods
from stone.type_predictor import load_predictor
from stone.watermark import Watermark, WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, params = snakemake.config, snakemake.params
loaded = load_model(params.model["path"], **{k: params.model[k] for k in ("dtype", "device", "revision")})
predictors = {Path(p).stem: load_predictor(p) for p in snakemake.input.type_predictors}
for problems, output in zip(snakemake.input.problems, snakemake.output, strict=True):
    dataset = Path(output).stem
    marks = {"none": None}
    for cell in (parse_cell(config, dataset, name) for name in params.cells[dataset]):
        settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
        predictor = predictors[LANGUAGE[dataset]] if needs_type_predictor(config, dataset, [cell.name]) else None
        marks[cell.method] = Watermark(settings, loaded.tokenizer, settings.vocab_size or loaded.vocab_size, predictor)
    some = read_problems(problems)[: params.timing["problems"]]
    write_frame(output, time_methods(loaded, some, marks, params.timing["tokens"], params.timing["repeats"]))
