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


def interrupted(folder: Path, sign: signal.Signals, **changes) -> tuple[int, dict[Path, int]]:
    """Start a run, stop it after the first completions; the number of ended completion jobs and the files (with their times) they left."""
    arguments = [*SNAKEMAKE, "--directory", str(folder), "--configfile", str(config_file(folder, **changes))]
    log = folder / "first.log"
    with log.open("w") as file:
        first = subprocess.Popen(arguments, stdout=file, stderr=file, start_new_session=True)
    deadline = time.time() + 300
    while "(Rule: completions)" not in log.read_text() and time.time() < deadline:
        time.sleep(0.2)
    os.killpg(first.pid, sign)
    first.wait(timeout=120)
    ended = log.read_text().count("(Rule: completions)")
    assert ended >= 1 and "(100%) done" not in log.read_text()
    return ended, {path: path.stat().st_mtime_ns for path in folder.rglob("completions/mini/mini-python/*.jsonl.gz")}


def kept(cells: dict[Path, int]) -> int:
    return sum(path.stat().st_mtime_ns == stamp for path, stamp in cells.items())


def test_ctrl_c_loses_no_finished_cell_and_needs_no_unlock(tmp_path):
    ended, cells = interrupted(tmp_path, signal.SIGINT, methods=["kgw", "stone"])
    second = snakemake(tmp_path, "metrics", methods=["kgw", "stone"])
    assert second.returncode == 0, second.stderr[-3000:]
    assert kept(cells) >= ended


def test_a_killed_run_resumes_and_a_finished_one_has_nothing_to_do(tmp_path):
    ended, cells = interrupted(tmp_path, signal.SIGKILL)
    snakemake(tmp_path, "--unlock")
    second = snakemake(tmp_path)
    assert second.returncode == 0, second.stderr[-3000:]
    assert kept(cells) >= ended
    metrics = pd.read_parquet(tmp_path / "results/test-small/metrics.parquet")
    assert set(metrics.method) == {"none", "kgw", "ewd", "stone"} and metrics.value.notna().all()
    results = tmp_path / "results/test-small"
    assert (results / "tables/main.tex").exists() and (results / "figures/roc.pdf").exists()
    third = snakemake(tmp_path)
    assert third.returncode == 0 and "Nothing to be done" in third.stdout + third.stderr
    report = snakemake(tmp_path, "--report", str(tmp_path / "report.html"))
    assert report.returncode == 0 and "ROC curves of the detectors" in (tmp_path / "report.html").read_text()
