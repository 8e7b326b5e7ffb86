"""Asks a language model to attack the solutions."""

import sys
from pathlib import Path

from stone.attacks.evaluate import programs
from stone.attacks.llm import cost_table, prompt, reply_records
from stone.chat import ChatError, ChatSettings, ask_all
from stone.experiment import parse_cell
from stone.records import read_jsonl, read_problems, write_jsonl
from stone.tables import write_table

config, params = snakemake.config, snakemake.params
settings = ChatSettings(**config["llm"])
problems = {
    Path(path).name.removesuffix(".jsonl.gz"): {p.task_id: p for p in read_problems(path)} for path in snakemake.input.problems
}
asked = []  # of each file of solutions
for path in map(Path, snakemake.input.solutions):
    dataset = path.name.removesuffix(".jsonl.gz")
    wanted = {parse_cell(config, dataset, name).text.name for name in params.cells[dataset]}
    attacked = programs(problems[dataset], [s for s in read_jsonl(path) if s["cell"] in wanted])
    asked.append((dataset, [{**record, "attack": name} for name in params.attacks for record in attacked]))
prompts = [prompt(record["attack"], record["solution"]) for _, records in asked for record in records]
try:
    replies = iter(ask_all(prompts, settings, params.memory, snakemake.log[0], "replies"))
except ChatError as error:
    sys.exit(f"attacks: {error}")
made = []
for path, (dataset, records) in zip(snakemake.output.replies, asked, strict=True):
    written = reply_records(records, [next(replies) for _ in records], problems[dataset])
    write_jsonl(path, written)
    made += written
write_table(cost_table(made, settings), Path(snakemake.output.costs[0]).with_suffix(""))
