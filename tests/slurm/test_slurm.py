"""The mini experiment through a real SLURM: the same numbers as locally, although a job is cancelled, another one hits its time limit and
the node crashes; no text is drawn twice."""

import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pandas as pd
import psutil
import pytest
from test_workflow import ROOT, SNAKEMAKE, config_file, snakemake

from stone.records import read_journal

SETTINGS = {"methods": ["kgw", "stone"], "data": {"limit": 3}, "generation": {"shards": 2}}
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


def jobs(text: str, states: str = "RUNNING") -> list[str]:
    """Ids of jobs with this text in their comment, which names rule and wildcards."""
    command = ["squeue", "-h", "-t", states, "-o", "%i %k"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[0] for line in lines if text in line]


def shard(k: int) -> str:
    return f"rule_generation_wildcards_mini_mini-python_{k}_2"


def details(job: str) -> str:
    return subprocess.run(["scontrol", "show", "job", job], capture_output=True, text=True, check=True).stdout


def wait_for(what: Callable[[], Any], process: subprocess.Popen) -> Any:
    deadline = time.time() + 240
    while process.poll() is None and time.time() < deadline:
        if found := what():
            return found
        time.sleep(0.2)
    raise AssertionError(f"{what} did not come to pass")


def processes_of(job: str = "") -> list[psutil.Process]:
    """What runs below the job's shepherds (below all shepherds of this node). One that is just ending has no command line."""
    shepherds = [p for p in psutil.process_iter(["name", "cmdline"]) if p.info["name"] == "slurmstepd"]
    chosen = [p for p in shepherds if f"[{job}" in " ".join(p.info["cmdline"] or ())]
    return [child for shepherd in chosen for child in shepherd.children(recursive=True)]


def crash_node() -> None:
    """Power off and on: the node's daemons and all processes of its jobs die without a word, then it boots again."""
    processes = processes_of()
    for name in ("slurmd", "slurmstepd"):
        subprocess.run(["pkill", "-KILL", "-x", name], check=True)
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    # What the controller does by itself after SlurmdTimeout.
    subprocess.run(["scontrol", "update", "NodeName=localhost", "State=DOWN", "Reason=crash"], check=True)
    time.sleep(1)
    subprocess.run(["slurmd", "-b", "-N", "localhost"], check=True)


def drawn(journal: Path) -> list[str]:
    """Keys of the texts that a shard has drawn so far."""
    return [record["key"] for record in read_journal(journal)]


def test_same_metrics_as_locally_in_spite_of_scancel_time_limit_and_a_crash(cluster, tmp_path):
    far, near = tmp_path / "far", tmp_path / "near"
    far.mkdir(), near.mkdir()
    command = [*SNAKEMAKE, "--workflow-profile", str(ROOT / "profiles/slurm"), *QUICK, "metrics", "--directory", str(far)]
    with (far / "log").open("w") as log:
        run = subprocess.Popen([*command, "--configfile", str(config_file(far, **SETTINGS))], stdout=log, stderr=log)
    journals = [far / f"results/test-small/generation/mini/mini-python/{k}-of-2.known.jsonl" for k in (1, 2)]
    try:
        one, two = (wait_for(lambda k=k: jobs(shard(k)), run)[0] for k in (1, 2))
        assert all("gpu:1" in details(job) and "Partition=gpu" in details(job) for job in (one, two))
        subprocess.run(["scancel", one], check=True)
        wait_for(lambda: drawn(journals[1]), run)
        frozen = processes_of(f"{two}.")  # so that it cannot be done before its time is up
        assert frozen
        for process in frozen:
            with suppress(psutil.NoSuchProcess):  # a command that was just ending
                process.suspend()
        subprocess.run(["scontrol", "update", f"JobId={two}", "EndTime=now+1"], check=True)
        wait_for(lambda: two in jobs(shard(2), "TIMEOUT"), run)
        before = [drawn(journal) for journal in journals]
        again = wait_for(lambda: jobs(shard(2)), run)[0]
        assert "TimeLimit=08:00:00" in details(again)
        lost = wait_for(lambda: jobs("entropies"), run)[0]
        crash_node()
        wait_for(lambda: lost in jobs("entropies", "NODE_FAIL"), run)
        assert run.wait(timeout=600) == 0, (far / "log").read_text()[-3000:]
    finally:
        run.terminate()
    assert (far / "log").read_text().count("Trying to restart job") >= 3
    assert [drawn(journal)[: len(keys)] for journal, keys in zip(journals, before, strict=True)] == before
    texts = [key for journal in journals for key in drawn(journal)]
    assert len(texts) == len(set(texts)) == 3 * 3 * 5
    local = snakemake(near, "metrics", **SETTINGS | {"generation": {"shards": 1}})
    assert local.returncode == 0, local.stderr[-2000:]
    name = "results/test-small/metrics.parquet"
    pd.testing.assert_frame_equal(pd.read_parquet(far / name), pd.read_parquet(near / name), rtol=1e-6)
