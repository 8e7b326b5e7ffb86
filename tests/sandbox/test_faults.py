"""Faults of the machine are never a program's: the run retries or stops with a clear line, and a rerun goes on from there."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from stone import Program, run_programs
from stone.execution import judge_remembering
from stone.sandbox import SandboxError, stream_verdicts
from stone.sandbox.bubblewrap import Bubblewrap
from stone.sandbox.docker import connect
from stone.sandbox.selftest import CPP, PYTHON

SLOW = "import time\ndef f(x):\n    time.sleep(0.1)\n    return x + 1  # {}\n"
PROGRAMS = [Program(PYTHON, SLOW.format(i)) for i in range(40)]


def containers():
    return connect().containers.list(ignore_removed=True, filters={"label": "stone=sandbox"})


def after_some(programs, count, work, backend):
    """Run programs; when `count` verdicts are there, do the work beside it. Returns all statuses."""
    statuses = [""] * len(programs)
    for seen, (indices, verdict) in enumerate(stream_verdicts(programs, backend)):
        if seen == count:
            work()
        for i in indices:
            statuses[i] = verdict.status
    return statuses


def test_killed_workers_cost_no_verdict(backend):
    def kill():
        if backend == "docker":
            for container in containers():
                container.kill()
        else:
            subprocess.run(["pkill", "-9", "bwrap"], check=True)

    assert after_some(PROGRAMS, 5, kill, backend) == ["passed"] * len(PROGRAMS)


class Engine(threading.Thread):
    """A socket in front of the real engine that can die."""

    def __init__(self, path: Path):
        super().__init__(daemon=True)
        self.server, self.links = socket.socket(socket.AF_UNIX), []
        self.server.bind(str(path))
        self.server.listen(64)

    def run(self):
        while True:
            try:
                near = self.server.accept()[0]
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect("/var/run/docker.sock")
            self.links += [near, far]
            for a, b in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(a, b), daemon=True).start()

    @staticmethod
    def carry(a, b):
        try:
            while chunk := a.recv(1 << 16):
                b.sendall(chunk)
            b.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def die(self):
        for link in [self.server, *self.links]:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
            link.close()


@pytest.mark.parametrize("backend", ["docker"], indirect=True)
def test_a_dead_engine_stops_the_run_with_one_line_and_leaves_no_container(backend, tmp_path, monkeypatch):
    engine = Engine(tmp_path / "engine.sock")
    engine.start()
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/engine.sock")
    with pytest.raises(SandboxError, match="Docker") as caught:
        after_some(PROGRAMS, 5, engine.die, backend)
    assert "\n" not in str(caught.value)
    monkeypatch.delenv("DOCKER_HOST")
    deadline = time.time() + 20
    while containers() and time.time() < deadline:
        time.sleep(0.2)
    assert containers() == []


@pytest.fixture
def small_disk():
    """A disk of 100 MB."""
    folder = Path(tempfile.mkdtemp(prefix="small-disk-"))
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100m,mode=755", "tmpfs", str(folder)]).returncode:
        assert not os.environ.get("CI"), "continuous integration runs as root"
        pytest.skip("mounting a small disk needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
    folder.rmdir()


def test_a_full_disk_is_no_compile_error(small_disk, monkeypatch):
    over = threading.Event()

    def fill():
        with (small_disk / "filler").open("wb", buffering=0) as file:
            while not over.is_set():  # what ends meanwhile gives some space back
                try:
                    file.write(bytes(1 << 16))
                except OSError:
                    time.sleep(0.001)

    filler = threading.Thread(target=fill)
    monkeypatch.setattr(tempfile, "tempdir", str(small_disk))
    programs = [Program(CPP, f"int f(int x) {{ return x + 1; }} // {i}\n") for i in range(20)]
    try:
        with pytest.raises(SandboxError, match=r"MiB are left|No space left"):
            after_some(programs, 3, filler.start, "bubblewrap")
    finally:
        over.set()
        filler.join()


def test_a_stopped_run_keeps_its_verdicts_and_a_rerun_goes_on(tmp_path, monkeypatch):
    solutions = [{"cell": "c", "task_id": PYTHON.task_id, "sample": i, "solution": p.solution} for i, p in enumerate(PROGRAMS)]
    started, popen = [], Bubblewrap.popen

    def failing(self, *arguments, **named):
        started.append(1)
        if len(started) == 31:
            raise OSError(28, "No space left on device")
        return popen(self, *arguments, **named)

    arguments = {"known": tmp_path / "known.jsonl", "log": tmp_path / "log", "backend": "bubblewrap"}
    monkeypatch.setattr(Bubblewrap, "popen", failing)
    with pytest.raises(SandboxError, match="No space left"):
        judge_remembering({PYTHON.task_id: PYTHON}, solutions, **arguments)
    kept = [json.loads(line) for line in (tmp_path / "known.jsonl").read_text().splitlines()]
    assert 5 < len(kept) < 40 and all(record["status"] == "passed" for record in kept)
    with (tmp_path / "known.jsonl").open("a") as file:
        file.write('{"key": "half a li')  # as kill -9 leaves it
    started.clear()
    monkeypatch.setattr(Bubblewrap, "popen", lambda *a, **k: started.append(1) or popen(*a, **k))
    verdicts = judge_remembering({PYTHON.task_id: PYTHON}, solutions, **arguments)
    assert (verdicts.status == "passed").all() and len(verdicts) == 40
    assert len(started) == 2 * (40 - len(kept) + 1)  # a checker beside each, and the human solution once more


def test_a_solution_cannot_tell_bubblewrap_what_became_of_it():
    """The pipe on which bubblewrap reports exit codes is not open in the sandbox."""
    spy = "import os\ndef f(x):\n    ends = [os.readlink(f'/proc/self/fd/{d}') for d in os.listdir('/proc/self/fd') if int(d) > 2 and os.path.exists(f'/proc/self/fd/{d}')]\n    return x + 1 if len([e for e in ends if e.startswith('pipe')]) <= 2 else ends\n"
    assert [v.status for v in run_programs([Program(PYTHON, spy)], backend="bubblewrap")] == ["passed"]


def test_a_killed_parent_leaves_no_process(backend, tmp_path):
    """kill -9 of the whole run: sandboxed processes and containers go with it."""
    script = "from stone import Problem, Program, run_programs\np = Problem('t', 'python', '', 'f', 'def f(x):\\n    return x\\n', test='def check(c):\\n    c(1)\\n')\nprint('go', flush=True)\nrun_programs([Program(p, f'import time\\ndef f(x): time.sleep(20)  # marker-of-a-killed-run {i}') for i in range(4)], backend=%r)\n"
    parent = subprocess.Popen([sys.executable, "-c", script % backend], stdout=subprocess.PIPE, start_new_session=True)
    parent.stdout.readline()
    time.sleep(3)
    before = subprocess.run(["pgrep", "-fc", "python_child|/usr/bin/python3 -I -S"], capture_output=True, text=True).stdout.strip()
    assert int(before) > 0
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    deadline = time.time() + 15
    while time.time() < deadline:
        left = subprocess.run(["pgrep", "-fa", "/usr/bin/python3 -I -S"], capture_output=True, text=True).stdout
        if not left and (backend != "docker" or not containers()):
            return
        time.sleep(0.3)
    raise AssertionError(left or containers())
