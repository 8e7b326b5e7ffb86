"""Programs per second in the sandbox against evalplus, g++ and javac, side by side in one run with the same number of workers.

    make bench        or        .venv/bin/python tests/benchmarks/bench_sandbox.py [bubblewrap|docker] [workers]

The programs are the benchmarks' own human solutions (STONE_DATA). evalplus, g++ and javac run them without isolation here.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

from stone import Problem, Program, load_problems, run_programs

DATA = Path(os.environ.get("STONE_DATA", "../shared/data"))


def timed(work: Callable[[], int]) -> tuple[float, int]:
    """Seconds, and the number of programs that passed."""
    start = time.perf_counter()
    passed = work()
    return time.perf_counter() - start, passed


def ours(problems: list[Problem], workers: int, backend: str, distinct: bool = False) -> int:
    """distinct: a changed comment makes each program differ from the human solution, so that both of them run."""
    programs = [Program(p, p.human_solution + ("\n# changed\n" if distinct else "")) for p in problems]
    return sum(v.status == "passed" for v in run_programs(programs, backend=backend, workers=workers))


def evalplus(problems: list[Problem], workers: int, folder: Path) -> int:
    """`evalplus.evaluate` as a user calls it; the second call finds the ground truth in its cache."""
    import gzip
    import json

    data = folder / "HumanEvalPlus.jsonl"
    data.write_bytes(gzip.decompress(next(DATA.glob("HumanEvalPlus*.jsonl.gz")).read_bytes()))
    samples = folder / "samples.jsonl"
    samples.write_text("".join(json.dumps({"task_id": p.task_id, "solution": p.human_solution}) + "\n" for p in problems))
    results = folder / "samples_eval_results.json"
    results.unlink(missing_ok=True)
    environment = os.environ | {"HUMANEVAL_OVERRIDE_PATH": str(data), "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
    command = [sys.executable, "-m", "evalplus.evaluate", "humaneval", "--samples", str(samples), "--parallel", str(workers)]
    subprocess.run(command, env=environment, check=True, capture_output=True)
    outcomes = json.loads(results.read_text())["eval"]
    return sum(runs[0]["base_status"] == runs[0]["plus_status"] == "pass" for runs in outcomes.values())


def compiled(problems: list[Problem], workers: int, one: Callable[[Problem, Path], bool]) -> int:
    """Each program in its own folder through the compiler and then its tests, no isolation."""

    def work(problem: Problem) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            return one(problem, Path(folder))

    with ThreadPoolExecutor(workers) as pool:
        return sum(pool.map(work, problems))


def succeeds(command: list[str], folder: Path) -> bool:
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=120).returncode == 0


def gpp(headers: str, flags: list[str]) -> Callable[[Problem, Path], bool]:
    def one(problem: Problem, folder: Path) -> bool:
        (folder / "main.cpp").write_text(headers + problem.human_solution + "\n" + problem.test)
        built = succeeds(["g++", "-std=c++17", "-w", *flags, "main.cpp", "-o", "main", "-lcrypto"], folder)
        return built and succeeds(["./main"], folder)

    return one


def javac(problem: Problem, folder: Path) -> bool:
    (folder / "Main.java").write_text(problem.human_solution + "\n" + problem.test)
    return succeeds(["javac", "-nowarn", "Main.java"], folder) and succeeds(["java", "-cp", ".", "Main"], folder)


def by_turns(problems: list[Problem], peers: dict[str, Callable[[Problem, Path], bool]], backend: str, workers: int) -> None:
    """Peers and ours in two turns, over half of the problems each: a shared machine's speed changes within minutes. A run before prepares
    what a user's first run does (precompiled headers)."""
    run_programs([Program(problems[0], problems[0].human_solution)], backend=backend)
    runs = {name: partial(compiled, one=one) for name, one in peers.items()} | {"ours": partial(ours, backend=backend)}
    spent = {}
    for name, work in list(runs.items()) * 2:
        half = problems[name in spent :: 2]
        seconds, passed = timed(partial(work, half, workers))
        before = spent.get(name, (0.0, 0))
        spent[name] = before[0] + seconds, before[1] + passed
    report([(name, len(problems), *both) for name, both in spent.items()])


def report(rows: list[tuple[str, int, float, int]]) -> None:
    """Markdown; the last row is ours, the ratio is throughput over each peer's."""
    _, programs, seconds, _ = rows[-1]
    for row in rows:
        name, n, took, passed = row
        ratio = "" if row is rows[-1] else f"{(programs / seconds) / (n / took):.1f}x"
        print(f"| {name} | {passed}/{n} | {took:.1f} s | {n / took:.1f}/s | {ratio} |", flush=True)


RECORD = "C++: g++ -O2, the record's headers"
CPP = {
    RECORD: gpp("", ["-O2"]),
    "C++: g++ -O2, bits/stdc++.h": gpp("#include <bits/stdc++.h>\n", ["-O2"]),
}
JAVA = {"Java: javac + java": javac}


def main(backend: str = "bubblewrap", workers: int = 2) -> None:
    python, cpp, java = (load_problems(name, source=DATA) for name in ("humanevalplus", "hep-cpp", "hep-java"))
    print(f"backend {backend}, {workers} workers\n\n| | passed | time | rate | ours is |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        cold = timed(lambda: evalplus(python, workers, Path(folder)))
        warm = timed(lambda: evalplus(python, workers, Path(folder)))
    n = len(python)
    report(
        [
            ("HumanEval+: evalplus.evaluate, ground truth computed", n, *cold),
            ("HumanEval+: evalplus.evaluate, ground truth cached", n, *warm),
            ("HumanEval+: ours, program = human solution", n, *timed(lambda: ours(python, workers, backend))),
        ]
    )
    report(
        [
            ("HumanEval+: evalplus.evaluate, ground truth computed", n, *cold),
            ("HumanEval+: ours, program and human solution both run", n, *timed(lambda: ours(python, workers, backend, True))),
        ]
    )
    by_turns(java, JAVA, backend, workers)
    by_turns(cpp, CPP, backend, workers)
    # Twice as many different programs, so that starting the sandbox weighs less: each with a changed comment too.
    by_turns(
        [*cpp, *(replace(p, task_id=f"{p.task_id} again", reference=p.reference + "// again\n") for p in cpp)],
        {RECORD: CPP[RECORD]},
        backend,
        workers,
    )
    flat_memory(backend, workers)


def flat_memory(backend: str, workers: int, count: int = 10_000) -> None:
    """Peak memory of this process over many different programs, in four quarters."""
    problem = Problem("t", "python", "", "f", "def f(x):\n    return x + 1\n", inputs=([1], [2]))
    peaks, start = [], time.perf_counter()
    for quarter in range(4):
        programs = [Program(problem, f"def f(x):\n    return x + 1  # {quarter}, {i}\n") for i in range(count // 4)]
        run_programs(programs, backend=backend, workers=workers)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
    print(
        f"\n{count} trivial programs: {count / (time.perf_counter() - start):.0f}/s; peak memory after each quarter, MiB: {peaks}"
    )


if __name__ == "__main__":
    main(*sys.argv[1:2], *map(int, sys.argv[2:3]))
