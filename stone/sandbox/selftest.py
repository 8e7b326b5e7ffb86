"""A short proof that a backend contains and judges programs on this machine; every probe is harmless without a sandbox too."""

from pathlib import Path

from stone.datasets import Problem
from stone.sandbox import Program, run_programs

# A function f that adds 1, in each language.
_TEST = "def check(candidate):\n    assert candidate(1) == 2\n    assert candidate(5) == 6\n"
PYTHON = Problem("selftest/python", "python", "", "f", "def f(x):\n    return x + 1\n", test=_TEST)
CPP = Problem(
    "selftest/cpp",
    "cpp",
    "",
    "f",
    "int f(int x) { return x + 1; }\n",
    test="#include<assert.h>\nint main(){ assert(f(1) == 2); assert(f(5) == 6); }\n",
)
JAVA = Problem(
    "selftest/java", "java", "", "f", "class Solution { int f(int x) { return x + 1; } }\n",
    test="public class Main { public static void main(String[] a) { Solution s = new Solution(); if (s.f(1) != 2 || s.f(5) != 6) throw new AssertionError(); } }\n",
)  # fmt: skip
_PROBES: dict[str, tuple[Problem, str, set[str]]] = {
    "a right Python program passes": (PYTHON, PYTHON.reference, {"passed"}),
    "a right C++ program passes": (CPP, CPP.reference, {"passed"}),
    "a right Java program passes": (JAVA, JAVA.reference, {"passed"}),
    "a wrong program fails": (PYTHON, "def f(x):\n    return x\n", {"failed"}),
    "leaving with exit code 0 is no pass": (PYTHON, "import os\ndef f(x):\n    print('passed'); os._exit(0)\n", {"failed"}),
    "an endless loop is stopped": (PYTHON, "def f(x):\n    while True: pass\n", {"timeout"}),
    "10 GB of memory are refused": (PYTHON, "def f(x):\n    return len(bytearray(10 * 2**30))\n", {"out_of_memory"}),
    "no network": (
        PYTHON,
        "import socket\ndef f(x):\n    socket.create_connection(('192.0.2.1', 80), 1)\n    return x + 1\n",
        {"runtime_error"},
    ),
    "the system is read-only": (PYTHON, "def f(x):\n    open('/usr/hole', 'w')\n    return x + 1\n", {"runtime_error"}),
    "this machine's files are hidden": (
        PYTHON,
        f"def f(x):\n    open({str(Path(__file__))!r})\n    return x + 1\n",
        {"runtime_error"},
    ),
    "processes are limited": (
        PYTHON,
        "import os, time\ndef f(x):\n    for _ in range(200):\n        if os.fork() == 0: time.sleep(5); os._exit(0)\n    return x + 1\n",
        {"runtime_error"},
    ),
}


def selftest(backend: str = "auto") -> list[tuple[str, bool, str]]:
    """Name, whether it held, and the status that was found, for each probe. Raises SandboxError when no backend works."""
    verdicts = run_programs([Program(problem, solution) for problem, solution, _ in _PROBES.values()], backend=backend)
    return [(name, v.status in right, v.status) for (name, (_, _, right)), v in zip(_PROBES.items(), verdicts, strict=True)]
