"""The mini experiment through a real SLURM: the same numbers as locally, although a job is cancelled and the node restarts."""

import os
import subprocess
import time

import pandas as pd
import pytest
from test_workflow import ROOT, SNAKEMAKE, config_file, snakemake

SETTINGS = {"methods": ["kgw", "stone"], "data": {"limit": 3}}
QUICK = ["--slurm-init-seconds-before-status-checks", "2", "--slurm-status-command", "squeue", "--latency-wait", "5"]


@pytest.fixture(scope="module")
def cluster():
    """Skips where no SLURM answers, but not in continuous integration (which calls start_slurm.sh)."""
    try:
        answers = subprocess.run(["sinfo", "-h"], capture_output=True).returncode == 0
    except FileNotFoundError:
        answers = False
    if not answers:
        assert not os.environ.get("CI"), "continuous integration starts SLURM"
        pytest.skip("no SLURM answers; tests/slurm/start_slurm.sh starts one on a test machine")


def running(rule: str) -> list[str]:
    """Ids of running jobs of a rule."""
    lines = subprocess.run(
        ["squeue", "-h", "-t", "RUNNING", "-o", "%i %k"], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [line.split()[0] for line in lines if rule in line]


def wait_for(rule: str, process: subprocess.Popen) -> list[str]:
    deadline = time.time() + 240
    while process.poll() is None and time.time() < deadline:
        if jobs := running(rule):
            return jobs
        time.sleep(0.2)
    raise AssertionError(f"no job of {rule} ever ran")


def restart_node() -> None:
    subprocess.run(["pkill", "-x", "slurmd"], check=True)
    time.sleep(2)
    subprocess.run(["slurmd", "-N", "localhost"], check=True)


def test_same_metrics_as_locally_in_spite_of_scancel_and_a_restart(cluster, tmp_path):
    far, near = tmp_path / "far", tmp_path / "near"
    far.mkdir(), near.mkdir()
    command = [*SNAKEMAKE, "--workflow-profile", str(ROOT / "profiles/slurm"), *QUICK, "metrics", "--directory", str(far)]
    with (far / "log").open("w") as log:
        run = subprocess.Popen([*command, "--configfile", str(config_file(far, **SETTINGS))], stdout=log, stderr=log)
    cancelled = wait_for("completions", run)[0]
    subprocess.run(["scancel", cancelled], check=True)
    wait_for("entropies", run)
    restart_node()
    assert run.wait(timeout=600) == 0, (far / "log").read_text()[-3000:]
    assert "Trying to restart job" in (far / "log").read_text()
    local = snakemake(near, "metrics", **SETTINGS)
    assert local.returncode == 0, local.stderr[-2000:]
    name = "results/test-small/metrics.parquet"
    pd.testing.assert_frame_equal(pd.read_parquet(far / name), pd.read_parquet(near / name), rtol=1e-6)
