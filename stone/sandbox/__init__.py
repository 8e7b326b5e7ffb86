"""Runs untrusted programs against their tests, isolated and limited; the verdict is decided outside the process that runs them."""

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil

from stone.datasets import Problem
from stone.sandbox import cpp, java, python
from stone.sandbox.backends import BACKENDS, Backend, SandboxError, pick_backend
from stone.sandbox.verdict import STATUSES, Verdict

_LEAST_CPU, _MOST_CPU = 2, 60  # seconds
_LANGUAGES = {"python": python, "cpp": cpp, "java": java}

__all__ = ["BACKENDS", "STATUSES", "Program", "SandboxError", "Verdict", "run_programs", "stream_verdicts"]


@dataclass(frozen=True)
class Program:
    """A solution (whole program text) of a problem."""

    problem: Problem
    solution: str


def run_programs(programs: Sequence[Program], backend: str = "auto", workers: int = 2) -> list[Verdict]:
    """Verdicts of the programs, in order. See `stream_verdicts`."""
    verdicts: dict[int, Verdict] = {}
    for indices, verdict in stream_verdicts(programs, backend, workers):
        verdicts |= dict.fromkeys(indices, verdict)
    return [verdicts[i] for i in range(len(programs))]


def stream_verdicts(programs: Sequence[Program], backend: str = "auto", workers: int = 2) -> Iterator[tuple[list[int], Verdict]]:
    """Each verdict as soon as it is known, with the indices of the programs that it is for: identical programs of a problem run once.

    Parameters
    ----------
    backend : "docker", "bubblewrap", "subprocess" (no isolation: only for programs that you trust), or "auto" (says what it picked and why).
    workers : programs that run at once.

    Raises SandboxError when no backend works, or when a program cannot be judged for reasons that are not its own.
    """
    same: dict[tuple, list[int]] = {}
    for i, p in enumerate(programs):
        same.setdefault((p.problem.language, p.problem.task_id, p.solution), []).append(i)
    with pick_backend(backend) as engine, ThreadPoolExecutor(max_workers=workers) as pool:
        for language, module in _LANGUAGES.items():
            # One problem's programs side by side, so that what they share is made once.
            groups = [same[key] for key in sorted(k for k in same if k[0] == language)]
            if groups:
                try:
                    yield from zip(groups, _judged(module, engine, [programs[g[0]] for g in groups], pool), strict=True)
                except BaseException as error:
                    pool.shutdown(cancel_futures=True)  # nothing waits for the rest
                    if isinstance(error, OSError):
                        raise SandboxError(f"this machine failed, not a program: {error}") from error
                    raise


def _judged(module, engine: Backend, group: list[Program], pool: ThreadPoolExecutor) -> Iterator[Verdict]:
    """Verdicts of one language's programs. The human solutions run first: a program may use 8 times their time, at least 2 s of CPU,
    so that endless loops, which would dominate the run, end soon."""
    problems = list({p.problem.task_id: p.problem for p in group}.values())
    others = [p for p in group if p.solution != p.problem.human_solution]
    pairs = [(p, p.human_solution) for p in problems] + [(p.problem, p.solution) for p in others]
    judge, known = module.prepare(engine, pairs, pool)

    def human(i: int) -> Verdict:
        return known.get(problems[i].task_id) or _retried(judge, i, _MOST_CPU)

    humans = {v.task_id: v for v in pool.map(human, range(len(problems)))}
    budget = {task: min(_MOST_CPU, max(_LEAST_CPU, ceil(8 * v.seconds))) for task, v in humans.items()}
    rest = pool.map(lambda i: _retried(judge, i, budget[pairs[i][0].task_id]), range(len(problems), len(pairs)))
    for p in group:
        yield humans[p.problem.task_id] if p.solution == p.problem.human_solution else next(rest)


def _retried(judge: Callable[[int, int], Verdict], index: int, cpu: int) -> Verdict:
    """A fault of the sandbox is tried again twice, then stops the run: it never counts against the program. Once is not enough where workers
    are killed one after the other: the next one may get the program just before it goes too."""
    for left in (2, 1, 0):
        verdict = judge(index, cpu)
        if verdict.status != "sandbox_error":
            return replace(verdict, detail=verdict.detail[:300])
        if left:
            print(f"sandbox: {verdict.task_id}: {verdict.detail}; trying again", file=sys.stderr)
    raise SandboxError(f"{verdict.task_id} could not be judged: {verdict.detail}")
