"""Turns the completions of all cells into runnable solutions."""

from pathlib import Path

from stone.records import read_jsonl, read_problems, write_jsonl
from stone.solutions import extract_solution

problems = {p.task_id: p for p in read_problems(snakemake.input.problems)}
write_jsonl(
    snakemake.output[0],
    (
        {
            "cell": Path(path).name.removesuffix(".jsonl.gz"),
            "task_id": c["task_id"],
            "sample": c["sample"],
            "solution": extract_solution(problems[c["task_id"]], c["text"]),
        }
        for path in snakemake.input.completions
        for c in read_jsonl(path)
    ),
)
