"""Python programs: the solution answers calls in its own sandbox; the expected answers stay outside."""

import sys
import time
from pathlib import Path
from subprocess import PIPE

from stone.datasets import Problem
from stone.sandbox import wire
from stone.sandbox.backends import Backend, Exchange, Limits
from stone.sandbox.compare import matches

_HERE = Path(__file__).parent
_WIRE = (_HERE / "wire.py").read_text()
LIMITS = Limits(cpu=10, wall=30.0, memory=2 * 2**30, output=2**26, processes=32)
INTERPRETER = "/usr/bin/python3"


def _command(backend: Backend, module: str) -> list[str]:
    program = f"{_WIRE}\n{(_HERE / module).read_text()}\nmain(dumps, loads)\n"
    interpreter = sys.executable if backend.name == "subprocess" else INTERPRETER
    return [interpreter, "-I", "-S", "-c", program]


class Ended(Exception):
    """The sandboxed process is gone or broke a rule; args: status, detail."""


class Peer:
    """One sandboxed Python process that speaks packed lines."""

    def __init__(self, backend: Backend, module: str, limits: Limits = LIMITS):
        pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
        self.exchange = Exchange(backend.popen(_command(backend, module), limits, **pipes), limits)

    def __enter__(self) -> "Peer":
        self.exchange.__enter__()
        self.lines = self.exchange.buffers[self.exchange.process.stdout]
        return self

    def __exit__(self, *details) -> None:
        self.exchange.__exit__(*details)

    def send(self, value) -> None:
        self.exchange.write(wire.dumps(value))

    def receive(self):
        """The next value. Raises Ended with the status of a process that stopped, or sent what no honest one sends."""
        while b"\n" not in self.lines:
            if not self.exchange.read_some():
                raise Ended(*self._why())
        end = self.lines.index(b"\n") + 1
        line = bytes(self.lines[:end])
        del self.lines[:end]
        try:
            return wire.loads(line)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            raise Ended("forbidden", "the solution wrote to the sandbox's own channel") from None

    def _why(self) -> tuple[str, str]:
        run = self.exchange.finish()
        if run.hit:
            return run.hit, f"after {run.seconds:.1f} s"
        text = run.stderr.decode(errors="replace")
        if run.code in (-24, -9) or "CPU time" in text:
            return "timeout", "CPU limit"
        if run.code == 0:
            return "failed", "early_exit"
        if run.stderr.startswith(b"bwrap:"):
            return "sandbox_error", text[:200]
        return "runtime_error", f"exit code {run.code}"


def prepare(backend: Backend, programs: list[tuple[Problem, str]], pool):
    """A function index -> (task id, status, seconds, detail); right outputs of `inputs` problems are computed first."""
    oracles = {p.task_id: p for p, _ in programs if p.inputs}
    expected = dict(zip(oracles, pool.map(lambda p: _outputs(backend, p, p.human_solution), oracles.values()), strict=True))

    def judge(index: int, cpu: int) -> tuple[str, str, float, str]:
        problem, solution = programs[index]
        with Peer(backend, "python_child.py", LIMITS.within(cpu)) as peer:
            try:
                status, detail = _judge(backend, peer, problem, solution, expected)
            except Ended as ended:
                status, detail = ended.args
            seconds = time.monotonic() - peer.exchange.started
        return problem.task_id, status, seconds, detail

    return judge


def _start(peer: Peer, problem: Problem, solution: str) -> None:
    """Load the solution; raises Ended when it does not load."""
    peer.send([solution, problem.entry_point])
    answer = peer.receive()
    if answer[0] != "ready":
        status = {"syntax": "compile_error", "memory": "out_of_memory"}.get(answer[0], "runtime_error")
        raise Ended(status, str(answer[1:]))


def _judge(backend, peer, problem, solution, expected) -> tuple[str, str]:
    _start(peer, problem, solution)
    if not problem.inputs:
        return _checked(backend, peer, problem)
    for arguments, right in zip(problem.inputs, expected[problem.task_id], strict=True):
        answer = _call(peer, arguments)
        if answer[0] != "value":
            return ("out_of_memory" if answer[0] == "memory" else "runtime_error"), str(answer[1:])
        if not matches(problem, arguments, answer[1], right):
            return "failed", f"wrong answer for {str(arguments)[:120]}"
    return "passed", ""


def _call(peer: Peer, arguments):
    peer.send(list(arguments))
    return peer.receive()


def _checked(backend: Backend, peer: Peer, problem: Problem) -> tuple[str, str]:
    """Let a second sandboxed process run the test source and relay its calls."""
    with Peer(backend, "python_checker.py") as checker:
        checker.send([problem.prompt, problem.test, problem.entry_point])
        memory = False
        while True:
            try:
                message = checker.receive()
            except Ended as ended:
                return "sandbox_error", f"the checker of {problem.task_id} stopped: {ended.args}"
            if message[0] == "verdict":
                return ("out_of_memory", "") if memory else (message[1], message[2])
            answer = _call(peer, message[1])
            memory = answer[0] == "memory"
            checker.send(answer if answer[0] == "value" else ["error", str(answer[1:])])


def _outputs(backend: Backend, problem: Problem, solution: str) -> list:
    """Outputs of the human solution, the ground truth of `inputs` problems."""
    with Peer(backend, "python_child.py") as peer:
        _start(peer, problem, solution)
        answers = [_call(peer, arguments) for arguments in problem.inputs]
    wrong = next((a for a in answers if a[0] != "value"), None)
    if wrong is not None:
        raise ValueError(f"{problem.task_id}: the human solution fails on its own tests ({wrong}); check the data's version")
    return [a[1] for a in answers]
