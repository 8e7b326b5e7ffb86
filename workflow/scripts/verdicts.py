"""Runs the solutions of all cells in the sandbox."""

from stone.execution import judge_remembering
from stone.records import read_jsonl, read_problems, write_frame

problems = {p.task_id: p for p in read_problems(snakemake.input.problems)}
frame = judge_remembering(
    problems,
    read_jsonl(snakemake.input.solutions),
    known=snakemake.params.memory,
    title=f"run {snakemake.wildcards.dataset}",
    log=snakemake.log[0],
    backend=snakemake.config["sandbox"]["backend"],
    workers=snakemake.threads,
)
write_frame(snakemake.output[0], frame)
