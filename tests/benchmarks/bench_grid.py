"""Seconds per cell of a sweep from 10 to 1,000 cells, planning included, from nothing to metrics.parquet with the embedded model.

    make bench        or        .venv/bin/python tests/benchmarks/bench_grid.py [cells ...] [--figure docs/gallery/grid_cost.png]

Texts are short (2 problems, 8 tokens), so that what is measured is the workflow's own cost. CPU seconds are those of all
processes; a busy machine changes them less than the seconds on the clock.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import yaml

ROOT = Path(__file__).resolve().parents[2]
METHODS, GAMMAS = ["ewd", "stone"], [0.1, 0.25, 0.5, 0.75, 0.9]
PER_DELTA = len(METHODS) * len(GAMMAS)


def config(cells: int) -> dict:
    """An experiment of so many marked cells."""
    deltas = [round(0.05 * (k + 1), 2) for k in range(cells // PER_DELTA)]
    return {
        "experiment": f"grid{cells}",
        "models": {"mini": {"path": "mini"}},
        "judge": {"path": "mini-judge"},
        "datasets": ["mini-python"],
        "methods": METHODS,
        "points": {"default": [{"gamma": GAMMAS[0], "delta": deltas[0]}]},
        "sweeps": [{"dataset": "mini-python", "methods": METHODS, "gammas": GAMMAS, "deltas": deltas}],
        "data": {"limit": 2},
        "samples": 1,
        "generation": {"shards": 2},
        "decoding": {"max_new_tokens": 8},
        "bootstrap": {"resamples": 20},
    }


def timed(command: list[str]) -> tuple[float, float]:
    """Seconds on the clock, and CPU seconds of the command and all that it started."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(ROOT)})
    if run.returncode:
        raise SystemExit(run.stderr[-3000:])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.perf_counter() - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measured(cells: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "config.yaml")
        file.write_text(yaml.safe_dump(config(cells)))
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "2", "metrics"]
        command += ["--directory", folder, "--configfile", str(file)]
        plan, _ = timed([*command, "--dry-run", "--quiet"])
        seconds, cpu = timed(command)
        scored = pd.read_parquet(Path(folder, f"results/grid{cells}/metrics.parquet"))
        found = len(scored[scored.method != "none"].drop_duplicates(["method", "gamma", "delta"]))
        if found != cells:
            raise SystemExit(f"{found} cells were scored, not {cells}")
    return {"cells": cells, "plan": plan, "seconds": seconds, "cpu": cpu}


def draw(rows: pd.DataFrame, path: Path) -> None:
    figure, axes = plt.subplots(figsize=(5.2, 3.8), layout="constrained")
    axes.plot(rows.cells, rows.seconds / rows.cells, "o-", label="all stages, on the clock")
    axes.plot(rows.cells, rows.cpu / rows.cells, "s--", label="all stages, CPU")
    axes.plot(rows.cells, rows.plan / rows.cells, "^:", label="planning alone, on the clock")
    axes.plot(rows.cells, rows.cpu.diff() / rows.cells.diff(), "kx", label="each further cell, CPU")
    axes.set(xscale="log", yscale="log", xlabel="cells of the sweep", ylabel="seconds per cell")
    figure.legend(loc="outside lower center", ncols=2)
    axes.grid(alpha=0.3)
    figure.savefig(path, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cells", nargs="*", type=int, default=[10, 100, 1000], help=f"multiples of {PER_DELTA}")
    parser.add_argument("--figure", type=Path)
    given = parser.parse_args()
    rows = []
    for cells in given.cells:
        rows.append(measured(cells))
        one = rows[-1]
        print(
            f"{cells:5} cells: plan {one['plan']:.1f} s, run {one['seconds']:.0f} s, CPU {one['cpu']:.0f} s; "
            f"per cell {one['seconds'] / cells:.2f} s, CPU {one['cpu'] / cells:.2f} s",
            flush=True,
        )
    if given.figure:
        draw(pd.DataFrame(rows), given.figure)


if __name__ == "__main__":
    main()
