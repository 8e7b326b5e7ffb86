"""Marks, judges and detects under several keys, and compares every method to STONE under each."""

import pandas as pd
import torch

from stone.execution import judge_remembering
from stone.experiment import parse_cell, watermark_settings
from stone.generation import Decoding
from stone.models import load_model
from stone.progress import progress_bar
from stone.records import read_problems, write_frame
from stone.replication import marked_texts, replicated_rows
from stone.solutions import extract_solution
from stone.watermark import WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, dataset, params = snakemake.config, snakemake.wildcards.dataset, snakemake.params
problems = {p.task_id: p for p in read_problems(snakemake.input.problems)}
cells = [parse_cell(config, dataset, name) for name in params.cells]
loaded = load_model(params.model["path"], **{k: params.model[k] for k in ("dtype", "device", "revision")})
decoding, solutions, detections = Decoding(**config["decoding"]), [], []
total = len(problems) * params.samples * len(cells) * len(params.replication["keys"])
with progress_bar(f"replicate {dataset}", "text", snakemake.log[0], total) as done:
    for key in params.replication["keys"]:
        configs = {c: WatermarkConfig(**{**watermark_settings(config, dataset, c), "key": key}) for c in cells}
        texts = marked_texts(loaded, list(problems.values()), configs, params.samples, params.seed, decoding, params.scope, done)
        for cell, records, scores in texts:
            detections.append(scores.assign(key=key))
            solutions += [
                {
                    "cell": cell.name,
                    "key": key,
                    "task_id": r["task_id"],
                    "sample": r["sample"],
                    "solution": extract_solution(problems[r["task_id"]], r["text"]),
                }
                for r in records
            ]
verdicts = judge_remembering(
    problems,
    solutions,
    known=params.memory,
    log=snakemake.log[0],
    title=f"run {dataset}",
    backend=config["sandbox"]["backend"],
    workers=snakemake.threads,
).assign(key=[s["key"] for s in solutions])
rows = replicated_rows(cells, verdicts, pd.concat(detections, ignore_index=True), resamples=params.resamples)
write_frame(snakemake.output[0], rows)
