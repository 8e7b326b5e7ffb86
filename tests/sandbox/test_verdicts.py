"""Verdicts in three languages: human solutions pass, wrong and hostile ones get the right status and leave nothing behind.

Every program here stays harmless without a sandbox too: attempts are bounded, so that a hole shows as a failed test and no more.
"""

import subprocess
from dataclasses import replace

import pytest

from stone import Problem, Program, load_problems, run_programs
from stone.sandbox import SandboxError
from stone.sandbox.backends import Backend, Limits, pick_backend


def statuses(programs) -> list[str]:
    return [v.status for v in run_programs(programs, backend="bubblewrap")]


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_human_solutions_pass_and_broken_ones_do_not(language):
    problems = load_problems(f"mini-{language}")
    assert set(statuses([Program(p, p.human_solution) for p in problems])) == {"passed"}
    broken = [Program(p, p.human_solution.replace("return", "return return", 1)) for p in problems[:3]]
    assert statuses(broken) == ["compile_error"] * 3


PYTHON = Problem(
    "t/py", "python", "", "f", "def f(x):\n    return x + 1\n", test="def check(c):\n    assert c(1) == 2\n    assert c(5) == 6\n"
)
CPP = Problem(
    "t/cpp",
    "cpp",
    "",
    "f",
    "int f(int x) { return x + 1; }\n",
    test="#include<assert.h>\nint main(){ assert(f(1) == 2); assert(f(5) == 6); }\n",
)
JAVA = Problem(
    "t/java", "java", "", "f", "class Solution { int f(int x) { return x + 1; } }\n",
    test="public class Main { public static void main(String[] a) { Solution s = new Solution(); if (s.f(1) != 2 || s.f(5) != 6) throw new AssertionError(); } }\n",
)  # fmt: skip

CASES = {
    "wrong answer": (PYTHON, "def f(x):\n    return x\n", "failed"),
    "prints passed and leaves": (PYTHON, "import os\ndef f(x):\n    print('passed')\n    os._exit(0)\n", "failed"),
    "leaves while loading": (PYTHON, "raise SystemExit(0)\n", "runtime_error"),
    "always equal": (PYTHON, "class A:\n    def __eq__(self, o):\n        return True\ndef f(x):\n    return A()\n", "runtime_error"),
    "patches assert": (PYTHON, "import builtins\nbuiltins.AssertionError = ValueError\ndef f(x):\n    return 0\n", "failed"),
    "kills its group": (PYTHON, "import os\ndef f(x):\n    os.kill(0, 9)\n", "failed"),
    "endless": (PYTHON, "def f(x):\n    while True: pass\n", "timeout"),
    "sleeps": (PYTHON, "import time\ndef f(x):\n    time.sleep(100)\n", "timeout"),
    "too much memory": (PYTHON, "def f(x):\n    return len(bytearray(10 * 2**30))\n", "out_of_memory"),
    "deep recursion": (PYTHON, "def f(x):\n    return f(x)\n", "runtime_error"),
    "writes outside": (PYTHON, "def f(x):\n    open('/usr/hole', 'w')\n    return x + 1\n", "runtime_error"),
    "reads the machine": (PYTHON, "def f(x):\n    open('/etc/passwd')\n    return x + 1\n", "runtime_error"),
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
}  # fmt: skip


def test_hostile_programs_get_their_status_and_leave_nothing():
    found = dict(zip(CASES, statuses([Program(p, s) for p, s, _ in CASES.values()]), strict=True))
    assert found == {name: status for name, (_, _, status) in CASES.items()}
    left = subprocess.run(["pgrep", "-f", "python_child|solution.py|bwrap"], capture_output=True, text=True).stdout.split()
    assert not left


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


def test_limits_hold_mildly_before_anything_relies_on_them():
    backend = pick_backend("bubblewrap")
    script = "import os\nn = 0\ntry:\n    for _ in range(60):\n        if os.fork() == 0:\n            import time; time.sleep(5); os._exit(0)\n        n += 1\nexcept OSError:\n    pass\nprint(n)"
    run = backend.run(["/usr/bin/python3", "-c", script], Limits(processes=20, wall=20))
    assert int(run.stdout) < 20
    assert backend.run(["/usr/bin/id", "-u"], Limits()).stdout.strip() != b"0"


def test_identical_programs_run_once_and_progress_counts_all(monkeypatch):
    runs, counted = [], []
    popen = Backend.popen
    monkeypatch.setattr(Backend, "popen", lambda self, *a, **k: runs.append(a) or popen(self, *a, **k))
    run_programs([Program(PYTHON, PYTHON.reference)] * 50, backend="bubblewrap", progress=counted.append)
    assert len(runs) == 4 and sum(counted) == 50  # the human solution and the program, each with its checker


def test_unknown_backend_is_one_line():
    with pytest.raises(SandboxError, match=r"'podman'.*choose one of"):
        run_programs([], backend="podman")
