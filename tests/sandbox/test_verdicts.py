"""Verdicts in three languages: human solutions pass, wrong and hostile ones get the right status and leave nothing behind.

Every program here stays harmless without a sandbox too: attempts are bounded, so that a hole shows as a failed test and no more.
"""

import subprocess
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from stone import Problem, Program, load_problems, run_programs
from stone.sandbox import SandboxError
from stone.sandbox.backends import pick_backend, run
from stone.sandbox.bubblewrap import Bubblewrap
from stone.sandbox.docker import connect, docker_trouble
from stone.sandbox.exchange import Limits
from stone.sandbox.selftest import CPP, JAVA, PYTHON


def statuses(programs, backend: str = "bubblewrap") -> list[str]:
    return [v.status for v in run_programs(programs, backend=backend)]


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_human_solutions_pass_and_broken_ones_do_not(language, backend):
    problems = load_problems(f"mini-{language}")
    assert set(statuses([Program(p, p.human_solution) for p in problems], backend)) == {"passed"}
    broken = [Program(p, p.human_solution.replace("return", "return return", 1)) for p in problems[:3]]
    assert statuses(broken, backend) == ["compile_error"] * 3


ROOT = Path(__file__).resolve().parents[2]
CASES = {
    "wrong answer": (PYTHON, "def f(x):\n    return x\n", "failed"),
    "prints passed and leaves": (PYTHON, "import os\ndef f(x):\n    print('passed')\n    os._exit(0)\n", "failed"),
    "leaves while loading": (PYTHON, "raise SystemExit(0)\n", "runtime_error"),
    "always equal": (PYTHON, "class A:\n    def __eq__(self, o):\n        return True\ndef f(x):\n    return A()\n", "runtime_error"),
    "patches assert": (PYTHON, "import builtins\nbuiltins.AssertionError = ValueError\ndef f(x):\n    return 0\n", "failed"),
    "kills its group": (PYTHON, "import os\ndef f(x):\n    os.kill(0, 9)\n    return x\n", "failed or runtime_error"),
    "endless": (PYTHON, "def f(x):\n    while True: pass\n", "timeout"),
    "sleeps": (PYTHON, "import time\ndef f(x):\n    time.sleep(100)\n", "timeout"),
    "too much memory": (PYTHON, "def f(x):\n    return len(bytearray(10 * 2**30))\n", "out_of_memory"),
    "deep recursion": (PYTHON, "def f(x):\n    return f(x)\n", "runtime_error"),
    "writes outside": (PYTHON, "def f(x):\n    open('/usr/hole', 'w')\n    return x + 1\n", "runtime_error"),
    "reads the machine": (PYTHON, f"def f(x):\n    open({str(ROOT / 'pyproject.toml')!r})\n    return x + 1\n", "runtime_error"),
    "connects": (PYTHON, "import socket\ndef f(x):\n    socket.create_connection(('127.0.0.1', 22), 1)\n    return x + 1\n", "runtime_error"),
    "garbage on the channel": (PYTHON, "import os\ndef f(x):\n    for d in range(3, 20):\n        try: os.write(d, b'x\\n')\n        except OSError: pass\n    return x + 1\n", "forbidden"),
    "many processes": (PYTHON, "import os\ndef f(x):\n    for _ in range(200):\n        if os.fork() == 0:\n            import time; time.sleep(30); os._exit(0)\n    return x + 1\n", "runtime_error"),
    "C++ wrong": (CPP, "int f(int x) { return x; }\n", "failed"),
    "C++ exits": (CPP, "#include <cstdlib>\nint f(int x) { _exit(0); }\n", "failed"),
    "C++ exits before main": (CPP, "struct A { A() { _exit(0); } } a;\nint f(int x) { return x + 1; }\n", "failed"),
    "C++ own assert": (CPP, "void __assert_fail(const char*, const char*, unsigned, const char*) {}\nint f(int x) { return 0; }\n", "failed"),
    "C++ crashes": (CPP, "int f(int x) { return *(volatile int*)0; }\n", "runtime_error"),
    "C++ endless": (CPP, "int f(int x) { volatile int y = 1; while (y) {} return x; }\n", "timeout"),
    "C++ too much output": (CPP, "int f(int x) { for (int i = 0; i < 100000; i++) puts(\"0123456789012345678901234567890\"); return x + 1; }\n", "output_limit"),
    "Java wrong": (JAVA, "class Solution { int f(int x) { return x; } }\n", "failed"),
    "Java exits": (JAVA, "class Solution { int f(int x) { System.exit(0); return x; } }\n", "failed"),
    "Java throws": (JAVA, "class Solution { int f(int x) { throw new RuntimeException(); } }\n", "runtime_error"),
    "Java endless": (JAVA, "class Solution { int f(int x) { while (x > 0) { } return x; } }\n", "timeout"),
    "Java heap": (JAVA, "class Solution { int f(int x) { return new long[500_000_000].length; } }\n", "out_of_memory"),
    "fork bomb": (PYTHON, "import os\ndef f(x):\n    while True:\n        try: os.fork()\n        except OSError: pass\n", "timeout"),
    "threads without end": (PYTHON, "import threading, time\ndef f(x):\n    while True: threading.Thread(target=time.sleep, args=(30,), daemon=True).start()\n", "runtime_error"),
    "100,000 files": (PYTHON, "def f(x):\n    for i in range(100_000): open(f'/tmp/{i}', 'w').close()\n    return x + 1\n", "passed or runtime_error or timeout"),
    "huge file": (PYTHON, "def f(x):\n    with open('/tmp/big', 'wb') as file:\n        for _ in range(10_000): file.write(bytes(2**20))\n", "runtime_error"),
    "many big files": (PYTHON, "def f(x):\n    for i in range(200): open(f'/tmp/{i}', 'wb').write(bytes(2**20))\n    return x + 1\n", "runtime_error"),
    "symlink out": (PYTHON, "import os\ndef f(x):\n    os.symlink('/etc/shadow', '/tmp/s')\n    open('/tmp/s').read()\n    return x + 1\n", "runtime_error"),
    "memory of others": (PYTHON, "import os\ndef f(x):\n    for p in os.listdir('/proc'):\n        if p.isdigit() and int(p) != os.getpid(): open(f'/proc/{p}/mem', 'rb').close()\n        elif p == 'kcore': open('/proc/kcore', 'rb').read(1)\n    open('/proc/sys/kernel/core_pattern', 'w').write('x')\n    return x + 1\n", "runtime_error"),
    "kills all it can": (PYTHON, "import os\ndef f(x):\n    try: os.kill(os.getppid(), 9)\n    except OSError: pass\n    os.kill(-1, 9)\n    return x\n", "failed or runtime_error"),
    "becomes root": (PYTHON, "import os\ndef f(x):\n    os.setuid(0)\n    return x + 1\n", "runtime_error"),
    "own namespaces": (PYTHON, "import ctypes\ndef f(x):\n    if ctypes.CDLL(None).unshare(0x10000000): raise OSError\n    return x + 1\n", "runtime_error"),
    "leaves a daemon": (PYTHON, "import os, time\ndef f(x):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: time.sleep(60)\n        os._exit(0)\n    return x + 1\n", "passed or forbidden"),
    "returns 900 MB": (PYTHON, "def f(x):\n    return 'x' * 900_000_000\n", "output_limit or out_of_memory or timeout"),
    "deep answer on the channel": (PYTHON, "import os\ndef f(x):\n    for d in range(3, 20):\n        try: os.write(d, b'[' * 100_000 + b'\\n')\n        except OSError: pass\n    return x + 1\n", "forbidden or timeout"),
    "nested answer": (PYTHON, "def f(x):\n    a = []\n    for _ in range(100_000): a = [a]\n    return a\n", "runtime_error"),
    "C++ fork bomb": (CPP, "#include <unistd.h>\nint f(int x) { for (;;) fork(); }\n", "timeout"),
    "C++ endless output": (CPP, "int f(int x) { for (;;) puts(\"0123456789\"); }\n", "output_limit"),
    "C++ too much memory": (CPP, "int f(int x) { std::vector<char*> v; for (;;) v.push_back(new char[1 << 28]); }\n", "out_of_memory"),
    "C++ fills memory": (CPP, "int f(int x) { std::vector<std::vector<char>> v; for (;;) v.emplace_back(1 << 28, 1); }\n", "out_of_memory or timeout"),
    "C++ deep recursion": (CPP, "int f(int x) { volatile char a[1000]; a[0] = x; return f(x + 1) + a[0]; }\n", "runtime_error"),
    "C++ includes the machine": (CPP, "#include \"/etc/passwd-of-the-host\"\nint f(int x) { return x + 1; }\n", "compile_error"),
    "Java threads": (JAVA, "class Solution { int f(int x) { while (true) new Thread(() -> { try { Thread.sleep(30000); } catch (Exception e) {} }).start(); } }\n", "out_of_memory or runtime_error or timeout"),
    "Java endless output": (JAVA, "class Solution { int f(int x) { while (true) System.out.println(\"0123456789\"); } }\n", "output_limit"),
    "Java runs a command": (JAVA, "class Solution { int f(int x) { try { new ProcessBuilder(\"/usr/bin/touch\", \"/usr/hole\").start().waitFor(); } catch (Exception e) {} return x; } }\n", "failed"),
}  # fmt: skip


def test_hostile_programs_get_their_status_and_leave_nothing(backend):
    before = leftovers()
    found = dict(zip(CASES, statuses([Program(p, s) for p, s, _ in CASES.values()], backend), strict=True))
    assert {name: (status, found[name]) for name, (_, _, status) in CASES.items() if found[name] not in status.split(" or ")} == {}
    assert settled(before) == []


def test_neighbours_of_hostile_programs_are_undisturbed(backend):
    """Hostile and good programs side by side: the good ones pass."""
    hostile = [
        Program(p, s)
        for name, (p, s, _) in CASES.items()
        if name in ("fork bomb", "kills all it can", "many big files", "C++ fork bomb")
    ]
    good = [Program(PYTHON, f"def f(x):\n    return x + 1  # {i}\n") for i in range(12)]
    mixed = [program for pair in zip(hostile * 3, good, strict=True) for program in pair]
    assert statuses(mixed, backend)[1::2] == ["passed"] * 12


def test_a_sample_cannot_read_another(backend):
    """Each sees its own files only: 20 programs leave a trace in /tmp and look for others' in all places they can list."""
    text = "import os\ndef f(x):\n    seen = [os.path.join(d, n) for d, _, names in os.walk('/tmp') for n in names]\n    open('/tmp/trace{}', 'w').close()\n    return x + 1 if x == 5 or not seen else 0\n"
    assert statuses([Program(PYTHON, text.format(i)) for i in range(20)], backend) == ["passed"] * 20


def settled(before: list[str]) -> list[str]:
    """What is left beyond what was there before, after up to 15 s: another run on this machine may still be at work."""
    deadline = time.time() + 15
    while (new := [name for name in leftovers() if name not in before]) and time.time() < deadline:
        time.sleep(0.5)
    return new


def leftovers() -> list[str]:
    """Processes, containers and folders that a sandbox left behind."""
    processes = subprocess.run(
        ["pgrep", "-fa", "python_child|solution.py|/usr/bin/bwrap"], capture_output=True, text=True
    ).stdout.splitlines()
    folders = [
        p.name
        for p in Path(tempfile.gettempdir()).glob("stone-*")
        if p.name.startswith(("stone-cpp-", "stone-java-", "stone-docker-"))
    ]
    containers = (
        [c.name for c in connect().containers.list(all=True, ignore_removed=True, filters={"label": "stone=sandbox"})]
        if docker_trouble() is None
        else []
    )
    return processes + folders + containers


def test_expected_answers_of_input_problems_come_from_the_human_solution():
    problem = replace(PYTHON, test="", inputs=([1], [2], [10**30]))
    floats = Problem("t/fl", "python", "", "g", "def g(x):\n    return x / 3\n", inputs=([1.0], [2.0]))
    programs = [
        Program(problem, PYTHON.reference),
        Program(problem, "def f(x):\n    return x + 1.0\n"),
        Program(floats, "def g(x):\n    return x * 0.333333333333\n"),
        Program(floats, "def g(x):\n    return x * 0.33\n"),
    ]
    assert statuses(programs) == ["passed", "failed", "passed", "failed"]


def test_limits_hold_mildly_before_anything_relies_on_them(backend):
    script = "import os\nn = 0\ntry:\n    for _ in range(60):\n        if os.fork() == 0:\n            import time; time.sleep(5); os._exit(0)\n        n += 1\nexcept OSError:\n    pass\nprint(n)"
    with pick_backend(backend) as engine:
        assert int(run(engine, ["/usr/bin/python3", "-c", script], Limits(processes=20, wall=20)).stdout) < 20
        assert run(engine, ["/usr/bin/id", "-u"], Limits()).stdout.strip() != b"0"


def test_identical_programs_run_once(monkeypatch):
    runs = []
    popen = Bubblewrap.popen
    monkeypatch.setattr(Bubblewrap, "popen", lambda self, *a, **k: runs.append(a) or popen(self, *a, **k))
    assert statuses([Program(PYTHON, PYTHON.reference)] * 50) == ["passed"] * 50
    assert len(runs) == 2  # the human solution, which the program is, and its checker


def test_a_prompt_without_a_docstring_is_fine():
    bare = replace(PYTHON, prompt="def f(x):\n", reference="    return x + 1\n")
    assert statuses([Program(bare, bare.human_solution), Program(bare, "def f(x):\n    return x\n")]) == ["passed", "failed"]


def test_unknown_backend_is_one_line():
    with pytest.raises(SandboxError, match=r"'podman'.*choose one of"):
        run_programs([], backend="podman")
