"""Draws one shard of the completions of a model on a dataset, all cells with the model loaded once."""

from pathlib import Path

import torch

from stone.experiment import parse_cells, watermark_settings
from stone.generation import Decoding
from stone.models import load_model
from stone.records import read_problems, write_jsonl
from stone.shards import draw_share, share
from stone.type_predictor import load_predictor
from stone.watermark import WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, params, dataset = snakemake.config, snakemake.params, snakemake.wildcards.dataset
shard, shards = int(snakemake.wildcards.shard), int(snakemake.wildcards.shards)
model = params.origin["model"]
cells = parse_cells(config, dataset, params.cells)
problems = read_problems(snakemake.input.problems)
write_jsonl(
    snakemake.output[0],
    draw_share(
        load=lambda: load_model(model["path"], **{k: model[k] for k in ("dtype", "device", "revision")}),
        settings={c.name: None if c.gamma is None else WatermarkConfig(**watermark_settings(config, dataset, c)) for c in cells},
        items=share([(c.name, problem) for c in cells for problem in problems], shard, shards),
        type_predictor=load_predictor(snakemake.input.type_predictor) if snakemake.input.type_predictor else None,
        samples=params.samples,
        seed=config["seed"],
        decoding=Decoding(**config["decoding"]),
        origin=params.origin,
        journal=Path(params.memory),
        log=snakemake.log[0],
        title=f"generate {dataset} {shard}/{shards}",
    ),
)
