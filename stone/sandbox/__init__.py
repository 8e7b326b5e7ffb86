"""Runs untrusted programs against their tests, isolated and limited; the verdict is decided outside the process that runs them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil

from stone.datasets import Problem
from stone.sandbox import cpp, java, python
from stone.sandbox.backends import BACKENDS, Backend, SandboxError, pick_backend

STATUSES = (
    "passed",
    "failed",
    "compile_error",
    "runtime_error",
    "timeout",
    "out_of_memory",
    "output_limit",
    "forbidden",
    "sandbox_error",
)
_LEAST_CPU, _MOST_CPU = 2, 60  # seconds
_LANGUAGES = {"python": python, "cpp": cpp, "java": java}

__all__ = ["BACKENDS", "STATUSES", "Program", "SandboxError", "Verdict", "run_programs"]


@dataclass(frozen=True)
class Program:
    """A solution (whole program text) of a problem."""

    problem: Problem
    solution: str


@dataclass(frozen=True)
class Verdict:
    """How a program fared: status (one of `STATUSES`), wall seconds of the run, and a short detail."""

    task_id: str
    status: str
    seconds: float
    detail: str


def run_programs(
    programs: Sequence[Program], backend: str = "auto", workers: int = 2, progress: Callable[[int], None] | None = None
) -> list[Verdict]:
    """Verdicts of the programs, in order. Identical programs of a problem run once.

    Parameters
    ----------
    backend : "bubblewrap", "subprocess" (no isolation: only for programs that you trust), or "auto" (says what it picked and why).
    workers : programs that run at once.
    progress : called with the number of programs decided since the last call.

    Raises SandboxError when no backend works, or when a program cannot be judged for reasons that are not its own.
    """
    engine = pick_backend(backend)
    distinct = {(p.problem.language, p.problem.task_id, p.solution): p for p in programs}
    groups = [[p for p in distinct.values() if p.problem.language == language] for language in _LANGUAGES]
    verdicts: dict[tuple, Verdict] = {}
    with ThreadPoolExecutor(max_workers=workers) as pool:
        for module, group in zip(_LANGUAGES.values(), groups, strict=True):
            if not group:
                continue
            for program, verdict in zip(group, _judged(module, engine, group, pool), strict=True):
                verdicts[(program.problem.language, program.problem.task_id, program.solution)] = verdict
                if progress:
                    progress(1)
    if progress and len(programs) > len(distinct):
        progress(len(programs) - len(distinct))
    return [verdicts[(p.problem.language, p.problem.task_id, p.solution)] for p in programs]


def _judged(module, engine: Backend, group: list[Program], pool: ThreadPoolExecutor) -> Iterator[Verdict]:
    """Verdicts of one language's programs. The human solutions run first: a program may use 8 times their time, at least 2 s of CPU,
    so that endless loops, which would dominate the run, end soon."""
    problems = list({p.problem.task_id: p.problem for p in group}.values())
    pairs = [(p, p.human_solution) for p in problems] + [(p.problem, p.solution) for p in group]
    judge = module.prepare(engine, pairs, pool)
    humans = pool.map(lambda i: _retried(judge, i, _MOST_CPU), range(len(problems)))
    budget = {v.task_id: min(_MOST_CPU, max(_LEAST_CPU, ceil(8 * v.seconds))) for v in humans}
    indices = range(len(problems), len(pairs))
    return pool.map(lambda i: _retried(judge, i, budget[pairs[i][0].task_id]), indices)


def _retried(judge: Callable[[int, int], tuple[str, str, float, str]], index: int, cpu: int) -> Verdict:
    """A fault of the sandbox is tried once more, then stops the run: it never counts against the program."""
    verdict = Verdict(*judge(index, cpu))
    if verdict.status == "sandbox_error":
        print(f"sandbox: {verdict.task_id}: {verdict.detail}; trying again", file=sys.stderr)
        verdict = Verdict(*judge(index, cpu))
        if verdict.status == "sandbox_error":
            raise SandboxError(f"{verdict.task_id} could not be judged: {verdict.detail}")
    return replace(verdict, detail=verdict.detail[:300])
