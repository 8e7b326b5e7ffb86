"""The workflow as a user runs it: configs are checked, a small experiment runs end to end, resumes, and then has nothing to do."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml

from stone.experiment import marked_cells
from stone.records import read_journal
from stone.settings import resolve

ROOT = Path(__file__).resolve().parents[2]
SMALL = {
    "experiment": "test-small",
    "models": {"mini": {"path": "mini"}},
    "judge": {"path": "mini-judge"},
    "datasets": ["mini-python"],
    "methods": ["kgw", "ewd", "stone"],
    "points": {"default": [{"gamma": 0.5, "delta": 2.0}]},
    "data": {"limit": 4},
    "decoding": {"max_new_tokens": 80},
    "bootstrap": {"resamples": 20},
}
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
TWO = ["mini-python", "mini-cpp"]
QUICK = {"methods": ["kgw"], "data": {"limit": 1}, "samples": 1, "decoding": {"max_new_tokens": 4}}
SNAKEMAKE = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--cores", "2"]


def config_file(folder: Path, **changes) -> Path:
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump({**SMALL, **changes}))
    return path


def snakemake(folder: Path, *arguments, **changes) -> subprocess.CompletedProcess:
    command = [*SNAKEMAKE, *arguments, "--directory", str(folder), "--configfile", str(config_file(folder, **changes))]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("name", ["config.yaml", "mini_full.yaml", "ablation.yaml", "attacks.yaml", "paper.yaml", "released.yaml"])
def test_every_config_makes_a_plan(name, tmp_path):
    command = [*SNAKEMAKE, "--directory", str(tmp_path), "--configfile", str(ROOT / "config" / name), "--dry-run", "--quiet"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert run.returncode == 0, run.stderr


def test_ten_thousand_cells_are_planned_in_less_than_a_minute_with_one_generation_job_per_shard(tmp_path):
    deltas = [round(0.01 * (k + 1), 2) for k in range(500)]
    grid = [{"dataset": d, "methods": ["kgw", "stone"], "gammas": [0.1, 0.2, 0.3, 0.4, 0.5], "deltas": deltas} for d in TWO]
    start = time.perf_counter()
    run = snakemake(tmp_path, "--dry-run", datasets=TWO, sweeps=grid, generation={"shards": 3})
    assert run.returncode == 0 and time.perf_counter() - start < 60, run.stderr
    assert run.stdout.count("rule generation:") == 2 * 3 and run.stdout.count("rule completions:") == 2
    cells = resolve(yaml.safe_load((tmp_path / "config.yaml").read_text()), SCHEMA)
    assert sum(len(marked_cells(cells, dataset)) for dataset in TWO) >= 10_000


def test_a_changed_seed_or_delta_is_planned_again_although_the_shards_are_gone(tmp_path):
    assert snakemake(tmp_path, "results/test-small/solutions/mini/mini-python.jsonl.gz", **QUICK).returncode == 0
    for change, jobs in (({}, 0), ({"seed": 1}, 1), ({"points": {"default": [{"gamma": 0.5, "delta": 3.0}]}}, 1)):
        run = snakemake(tmp_path, "results/test-small/solutions/mini/mini-python.jsonl.gz", "--dry-run", **QUICK | change)
        assert run.returncode == 0 and run.stdout.count("rule generation:") == jobs, run.stdout


def test_a_wrong_config_stops_before_any_job_with_one_line(tmp_path):
    run = snakemake(tmp_path, methods=["kgw", "stoned"])
    faults = [line for line in run.stderr.splitlines() if "config:" in line]
    assert run.returncode != 0 and "Traceback" not in run.stderr
    assert len(faults) == 1 and "methods.1" in faults[0] and "'stoned'" in faults[0] and "one of kgw" in faults[0]
    assert not (tmp_path / "results").exists()


def test_a_language_models_attacks_are_one_job_and_need_an_endpoint(tmp_path):
    llm = {"base_url": "http://localhost:8000/v1", "model": "m"}
    plan = snakemake(tmp_path, "attack_results", "--dry-run", attacks=["strip", "llm-paraphrase"], llm=llm)
    assert plan.returncode == 0, plan.stderr
    assert plan.stdout.count("rule replies:") == 1 and "mini-python.replies.jsonl.gz" in plan.stdout
    without = snakemake(tmp_path, "attack_results", attacks=["llm-paraphrase"])
    assert without.returncode != 0 and "Traceback" not in without.stderr and "llm is missing" in without.stderr


JOURNAL = "results/test-small/generation/mini/mini-python/1-of-1.known.jsonl"


def compile_tables(folder: Path) -> None:
    """All LaTeX tables in one document, by pdflatex, with the packages that their first line names."""
    names = sorted(path.name for path in folder.glob("*.tex"))
    assert len(names) > 10
    pages = "\n".join(rf"{name.replace('_', '-')}\par\input{{{name}}}\clearpage" for name in names)
    head = (
        r"\documentclass{article}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}\usepackage{textcomp,array,booktabs,graphicx}"
    )
    (folder / "all.latex").write_text(f"{head}\\begin{{document}}\n{pages}\n\\end{{document}}\n")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.latex"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=120)
    assert run.returncode == 0, run.stdout[-2000:]


def interrupted(folder: Path, sign: signal.Signals, **changes) -> list[dict]:
    """Start a run and stop it amid generation; the texts that were drawn by then."""
    arguments = [*SNAKEMAKE, "--directory", str(folder), "--configfile", str(config_file(folder, **changes))]
    log, journal = folder / "first.log", folder / JOURNAL
    with log.open("w") as file:
        first = subprocess.Popen(arguments, stdout=file, stderr=file, start_new_session=True)
    deadline = time.time() + 300
    while not list(read_journal(journal)) and time.time() < deadline:
        time.sleep(0.1)
    os.killpg(first.pid, sign)
    first.wait(timeout=120)
    assert "(Rule: completions)" not in log.read_text()
    texts = list(read_journal(journal))
    assert texts
    return texts


def assert_nothing_was_drawn_twice(folder: Path, texts: list[dict], total: int) -> None:
    now = list(read_journal(folder / JOURNAL))
    assert now[: len(texts)] == texts
    assert len(now) == len({text["key"] for text in now}) == total


def test_ctrl_c_loses_no_finished_text_and_needs_no_unlock(tmp_path):
    texts = interrupted(tmp_path, signal.SIGINT, methods=["kgw", "stone"])
    second = snakemake(tmp_path, "metrics", methods=["kgw", "stone"])
    assert second.returncode == 0, second.stderr[-3000:]
    assert_nothing_was_drawn_twice(tmp_path, texts, 3 * 4 * 5)


def test_a_killed_run_resumes_and_a_finished_one_has_nothing_to_do(tmp_path):
    texts = interrupted(tmp_path, signal.SIGKILL)
    snakemake(tmp_path, "--unlock")
    second = snakemake(tmp_path)
    assert second.returncode == 0, second.stderr[-3000:]
    assert_nothing_was_drawn_twice(tmp_path, texts, 3 * 4 * 5)
    metrics = pd.read_parquet(tmp_path / "results/test-small/metrics.parquet")
    assert set(metrics.method) == {"none", "kgw", "ewd", "stone"} and metrics.value.notna().all()
    results = tmp_path / "results/test-small"
    assert (results / "tables/main.tex").exists() and (results / "figures/roc.pdf").exists()
    compile_tables(results / "tables")
    for figure in (results / "figures").glob("*.pdf"):
        assert b"/FontFile2" in figure.read_bytes() and b"/Type3" not in figure.read_bytes(), figure
    third = snakemake(tmp_path)
    assert third.returncode == 0 and "Nothing to be done" in third.stdout + third.stderr
    report = snakemake(tmp_path, "--report", str(tmp_path / "report.html"))
    assert report.returncode == 0 and "ROC curves of the detectors" in (tmp_path / "report.html").read_text()
