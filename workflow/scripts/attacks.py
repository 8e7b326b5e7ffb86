"""Attacks the solutions, runs them, and asks every detector again."""

import pandas as pd
import torch

from stone.attacks.evaluate import attack_rows, attacked_solutions, solution_texts
from stone.execution import judge_remembering
from stone.experiment import parse_cell, watermark_settings
from stone.models import load_model
from stone.progress import progress_bar
from stone.records import read_jsonl, read_problems, write_frame
from stone.scan import detect_all
from stone.watermark import Watermark, WatermarkConfig

torch.set_num_threads(snakemake.threads)
config, dataset, params = snakemake.config, snakemake.wildcards.dataset, snakemake.params
cells = [parse_cell(config, dataset, name) for name in params.cells]
problems = {p.task_id: p for p in read_problems(snakemake.input.problems)}
wanted = {cell.text.name for cell in cells}
marked = [s for s in read_jsonl(snakemake.input.solutions) if s["cell"] in wanted]
replies = [r for path in snakemake.input.replies for r in read_jsonl(path)]
solutions = attacked_solutions(problems, marked, params.attacks, replies)
verdicts = judge_remembering(
    problems,
    solutions,
    known=params.memory,
    log=snakemake.log[0],
    title=f"attacked {dataset}",
    backend=config["sandbox"]["backend"],
    workers=snakemake.threads,
).assign(attack=[s["attack"] for s in solutions])

loaded = load_model(params.model["path"], **{k: params.model[k] for k in ("dtype", "device", "revision")})
with progress_bar(f"entropies of attacked {dataset}", "text", snakemake.log[0], len(solutions)) as done:
    texts = solution_texts(loaded, solutions, cells, done)
frames = []
for cell in cells:
    settings = WatermarkConfig(**watermark_settings(config, dataset, cell))
    mark = Watermark(settings, loaded.tokenizer, vocab_size=settings.vocab_size or loaded.vocab_size)
    frames += [
        detect_all(mark, cell, group, "full", dataset).assign(attack=name) for name, group in texts.groupby("attack", sort=False)
    ]
write_frame(snakemake.output[0], attack_rows(cells, verdicts, pd.concat(frames, ignore_index=True), params.resamples))
