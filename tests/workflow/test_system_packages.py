"""envs/system_packages.sh on a machine without a compiler: a PATH of stand-ins plays that machine."""

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "envs" / "system_packages.sh"


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/bash\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def machine(tmp_path):
    """Everything is there but g++; apt-get writes down what it is asked for."""
    for command in ("bwrap", "javac", "prlimit", "python3"):
        script(tmp_path / command, "exit 0")
    script(tmp_path / "apt-get", f'echo "$@" >> {tmp_path}/asked')
    return tmp_path


def run(machine: Path, uid: int) -> subprocess.CompletedProcess:
    script(machine / "id", f"echo {uid}")
    return subprocess.run([shutil.which("bash"), SCRIPT], env={"PATH": str(machine)}, capture_output=True, text=True)


def test_a_user_is_told_the_exact_command_and_it_stops(machine):
    done = run(machine, 1000)
    command = [line for line in done.stderr.splitlines() if "apt-get install" in line]
    assert done.returncode == 1 and len(command) == 1 and "g++" in command[0].split()
    assert not (machine / "asked").exists()


def test_root_gets_it_installed(machine):
    done = run(machine, 0)
    asked = (machine / "asked").read_text().splitlines()
    assert done.returncode == 0 and asked[0].startswith("update") and "g++" in asked[1].split()


def test_nothing_is_installed_where_nothing_is_missing():
    done = subprocess.run([shutil.which("bash"), SCRIPT], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
