"""Turns the completions of all cells into runnable solutions."""

from stone.records import read_cells, read_problems, write_jsonl
from stone.solutions import extract_solution

problems = {p.task_id: p for p in read_problems(snakemake.input.problems)}
write_jsonl(
    snakemake.output[0],
    (
        {
            "cell": cell,
            "task_id": c["task_id"],
            "sample": c["sample"],
            "solution": extract_solution(problems[c["task_id"]], c["text"]),
        }
        for cell, completions in read_cells(snakemake.input.completions[0], snakemake.params.texts).items()
        for c in completions
    ),
)
