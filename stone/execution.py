"""Judges the solutions of an experiment, remembering verdicts by content so that a rerun or a larger sweep runs only what is new."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from stone.datasets import Problem
from stone.progress import progress_bar
from stone.records import read_journal
from stone.sandbox import Program, stream_verdicts


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

    known : a journal of verdicts by program digest, one JSON line each, written as soon as a verdict is known: whatever stops a run,
    the next one goes on from there.
    """
    journal = Path(known)
    remembered = read_journal(journal)
    keys = [program_key(problems[s["task_id"]], s["solution"]) for s in solutions]
    new = {k: Program(problems[s["task_id"]], s["solution"]) for k, s in zip(keys, solutions, strict=True) if k not in remembered}
    waiting, title = list(new), f"{title} ({len(keys)} programs, {len(new)} new)"
    with progress_bar(title, "program", log, len(waiting)) as done, journal.open("a", encoding="utf-8") as file:
        for indices, verdict in stream_verdicts(list(new.values()), backend, workers):
            for key in (waiting[i] for i in indices):
                remembered[key] = {"key": key, "status": verdict.status, "seconds": verdict.seconds, "detail": verdict.detail}
                file.write(json.dumps(remembered[key]) + "\n")
            file.flush()
            done(len(indices))
    columns = ["cell", "task_id", "sample"]
    rows = [
        [s[c] for c in columns] + [remembered[k][c] for c in ("status", "seconds", "detail")]
        for k, s in zip(keys, solutions, strict=True)
    ]
    return pd.DataFrame(rows, columns=[*columns, "status", "seconds", "detail"])
