"""Python programs: the solution answers calls in its own sandbox; the expected answers stay outside."""

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from stone.datasets import Problem
from stone.sandbox import wire
from stone.sandbox.backends import Backend
from stone.sandbox.compare import matches
from stone.sandbox.exchange import Exchange, Limits, SandboxError, cut_short
from stone.sandbox.verdict import Verdict

_HERE = Path(__file__).parent
_WIRE = (_HERE / "wire.py").read_text()
LIMITS = Limits(cpu=10, wall=30.0, memory=4 * 2**30, output=2**26, processes=32)
INTERPRETER = "/usr/bin/python3"
_KEPT = 2**16  # bytes up to which a right output is kept for comparison beyond equality


def _command(backend: Backend, module: str) -> list[str]:
    program = f"{_WIRE}\n{(_HERE / module).read_text()}\nmain(dumps, loads)\n"
    interpreter = sys.executable if backend.name == "subprocess" else INTERPRETER
    return [interpreter, "-I", "-S", "-c", program]


class Ended(Exception):
    """The sandboxed process is gone or broke a rule; args: status, detail."""


class Peer:
    """One sandboxed Python process that speaks packed lines."""

    def __init__(self, backend: Backend, module: str, limits: Limits = LIMITS):
        self.exchange = Exchange(backend.popen(_command(backend, module), limits), limits)

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
        cut = cut_short(run, self.exchange.limits)
        if cut:
            return cut
        text = run.stderr.decode(errors="replace")
        if "MemoryError" in text:
            return "out_of_memory", ""
        if run.code == 0:
            return "failed", "early_exit"
        return "runtime_error", f"exit code {run.code}"


def prepare(backend: Backend, programs: list[tuple[Problem, str]], pool):
    """A function (index, CPU seconds) -> Verdict, and the verdicts of human solutions that were run for their outputs: those of `inputs`
    problems, whose right outputs they define."""
    oracles = {p.task_id: p for p, _ in programs if p.inputs}
    expected, known = {}, {}
    for task_id, (rights, seconds) in zip(oracles, pool.map(lambda p: _outputs(backend, p), oracles.values()), strict=True):
        expected[task_id], known[task_id] = rights, Verdict(task_id, "passed", seconds, "")

    def judge(index: int, cpu: int) -> Verdict:
        problem, solution = programs[index]
        with Peer(backend, "python_child.py", LIMITS.within(cpu)) as peer:
            try:
                status, detail = _judge(backend, peer, problem, solution, expected)
            except Ended as ended:
                status, detail = ended.args
            seconds = time.monotonic() - peer.exchange.started
        return Verdict(problem.task_id, status, seconds, detail)

    return judge, known


def _start(peer: Peer, problem: Problem, solution: str) -> None:
    """Load the solution; raises Ended when it does not load."""
    peer.send([solution, problem.entry_point])
    answer = peer.receive()
    if not isinstance(answer, tuple) or not answer:
        raise Ended("forbidden", "the solution wrote to the sandbox's own channel")
    if answer[0] != "ready":
        status = {"syntax": "compile_error", "memory": "out_of_memory"}.get(answer[0], "runtime_error")
        raise Ended(status, str(answer[1:]))


def _judge(backend, peer, problem, solution, expected) -> tuple[str, str]:
    _start(peer, problem, solution)
    if not problem.inputs:
        return _checked(backend, peer, problem)
    for arguments, right in zip(problem.inputs, expected[problem.task_id], strict=True):
        digest, *_ = _call(peer, arguments)
        if digest is not None and digest == right.digest:
            continue
        if right.digest is not None and not right.kept:
            return "failed", f"wrong answer for {str(arguments)[:120]}"
        if not matches(problem, arguments, _result(peer), right.value):
            return "failed", f"wrong answer for {str(arguments)[:120]}"
    return "passed", ""


def _call(peer: Peer, arguments) -> tuple:
    """Call the solution's function: (digest, bytes, floats) of its result. Raises Ended when it fails."""
    peer.send(list(arguments))
    return _expect(peer, "value", 4)


def _result(peer: Peer):
    """The last call's result itself."""
    peer.send(None)
    return _expect(peer, "result", 2)[0]


def _expect(peer: Peer, kind: str, length: int) -> tuple:
    answer = peer.receive()
    if not isinstance(answer, tuple) or not answer or (answer[0] == kind and len(answer) != length):
        raise Ended("forbidden", "the solution wrote to the sandbox's own channel")
    if answer[0] != kind:
        raise Ended("out_of_memory" if answer[0] == "memory" else "runtime_error", str(answer[1:])[:200])
    return answer[1:]


def _checked(backend: Backend, peer: Peer, problem: Problem) -> tuple[str, str]:
    """Let a second sandboxed process run the test source and relay its calls."""
    with Peer(backend, "python_checker.py") as checker:
        checker.send([problem.prompt, problem.test, problem.entry_point])
        ended = None
        while True:
            try:
                message = checker.receive()
            except Ended as stopped:
                return "sandbox_error", f"the checker of {problem.task_id} stopped: {stopped.args}"
            if message[0] == "verdict":
                return ended if ended and ended[0] == "out_of_memory" else (message[1], message[2])
            try:
                _call(peer, message[1])
                checker.send(["value", _result(peer)])
            except Ended as stopped:
                if stopped.args[0] not in ("runtime_error", "out_of_memory") or peer.exchange.process.poll() is not None:
                    raise
                ended = stopped.args
                checker.send(["error", str(ended[1])])


@dataclass(frozen=True)
class Right:
    """The right output of a call: its digest, and the value itself where it is small or a tolerance may apply."""

    digest: str | None
    kept: bool
    value: object


def _outputs(backend: Backend, problem: Problem) -> tuple[list[Right], float]:
    """Outputs of the human solution, the ground truth of `inputs` problems, and the seconds that they took."""
    rights = []
    try:
        with Peer(backend, "python_child.py", LIMITS.within(60)) as peer:
            _start(peer, problem, problem.human_solution)
            for arguments in problem.inputs:
                digest, size, floats = _call(peer, arguments)
                kept = digest is None or size <= _KEPT or floats or problem.atol > 0
                rights.append(Right(digest, kept, _result(peer) if kept else None))
            seconds = time.monotonic() - peer.exchange.started
    except Ended as ended:
        raise SandboxError(
            f"{problem.task_id}: the human solution fails on its own tests {ended.args}; check the data's version"
        ) from None
    return rights, seconds
