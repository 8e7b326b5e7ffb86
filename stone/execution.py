"""Judges the solutions of an experiment, remembering verdicts by content so that a rerun or a larger sweep runs only what is new."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from stone.datasets import Problem
from stone.progress import progress_bar
from stone.records import read_jsonl, write_jsonl
from stone.sandbox import Program, run_programs

_CHUNK = 1000  # programs between two saves


def program_key(problem: Problem, solution: str) -> str:
    """Digest of everything that a verdict depends on."""
    tests = problem.test or repr(problem.inputs)
    return hashlib.sha256(
        "\0".join([problem.language, problem.task_id, tests, problem.human_solution, solution]).encode()
    ).hexdigest()


def judge_remembering(
    problems: Mapping[str, Problem],
    solutions: Sequence[dict],
    known: str | Path,
    log: str | Path,
    title: str = "run",
    backend: str = "auto",
    workers: int = 2,
) -> pd.DataFrame:
    """Verdicts of solutions (cell, task_id, sample, solution): columns cell, task_id, sample, status, seconds, detail.

    known : file of verdicts by program digest; read if it exists, saved every few hundred programs.
    """
    remembered = {r["key"]: r for r in read_jsonl(known)} if Path(known).exists() else {}
    keys = [program_key(problems[s["task_id"]], s["solution"]) for s in solutions]
    new = {k: Program(problems[s["task_id"]], s["solution"]) for k, s in zip(keys, solutions, strict=True) if k not in remembered}
    waiting = list(new.items())
    with progress_bar(f"{title} ({len(keys)} programs, {len(waiting)} new)", "program", log, len(waiting)) as done:
        for start in range(0, len(waiting), _CHUNK):
            chunk = waiting[start : start + _CHUNK]
            verdicts = run_programs([program for _, program in chunk], backend, workers, done)
            for (key, _), verdict in zip(chunk, verdicts, strict=True):
                remembered[key] = {"key": key, "status": verdict.status, "seconds": verdict.seconds, "detail": verdict.detail}
            write_jsonl(known, remembered.values())
    columns = ["cell", "task_id", "sample"]
    rows = [
        [s[c] for c in columns] + [remembered[k][c] for c in ("status", "seconds", "detail")]
        for k, s in zip(keys, solutions, strict=True)
    ]
    return pd.DataFrame(rows, columns=[*columns, "status", "seconds", "detail"])
