"""Python programs: the solution answers calls in its own sandbox; the expected answers stay outside."""

import marshal
import sys
import time
from collections.abc import Iterator
from functools import lru_cache
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
_ROOM = 2**12  # bytes of a result above which its digest is sent at first
_LARGEST = 2**23  # bytes of a result above which its digest must do
_AHEAD = 2**15  # bytes of calls that are written before answers are read
_RESULTS = (wire.dumps(("value",))[:-3], wire.dumps(("digest",))[:-3])  # how an answer with a result begins
_UNDECIDED = "undecided"
_ANSWERS = {("ready", 1), ("value", 2), ("digest", 3), ("error", 2), ("memory", 1), ("syntax", 2)}


def _command(backend: Backend, module: str) -> list[str]:
    program = f"{_WIRE}\n{(_HERE / module).read_text()}\nmain(dumps, loads)\n"
    interpreter = sys.executable if backend.name == "subprocess" else INTERPRETER
    return [interpreter, "-I", "-S", "-c", program]


class Ended(Exception):
    """The sandboxed process is gone or broke a rule; args: status, detail."""


class Peer:
    """One sandboxed Python process that answers in packed lines."""

    def __init__(self, backend: Backend, module: str, limits: Limits = LIMITS):
        self.exchange = Exchange(backend.popen(_command(backend, module), limits), limits)

    def __enter__(self) -> "Peer":
        self.exchange.__enter__()
        self.lines = self.exchange.buffers[self.exchange.process.stdout]
        return self

    def __exit__(self, *details) -> None:
        self.exchange.__exit__(*details)

    def send(self, data: bytes) -> None:
        self.exchange.write(data)

    def pending(self) -> bool:
        """Is a whole answer there already?"""
        return b"\n" in self.lines

    def receive(self):
        """The next answer, as value."""
        return unpacked(self.receive_line())

    def receive_line(self) -> bytes:
        """The next answer, packed. Raises Ended with the status of a process that stopped."""
        while (end := self.lines.find(b"\n") + 1) == 0:
            if not self.exchange.read_some():
                raise Ended(*self._why())
        line = bytes(self.lines[:end])
        del self.lines[:end]
        return line

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
    asked = {p.task_id: p for p, _ in programs if p.inputs}

    @lru_cache(maxsize=16)  # programs of a problem run one after the other
    def calls(task_id: str) -> bytes:
        return b"".join(framed(tuple(arguments)) for arguments in asked[task_id].inputs)

    def attempt(problem: Problem, solution: str, cpu: int, room: int | None, expected: list[bytes]) -> tuple[str, str, float]:
        with Peer(backend, "python_child.py", LIMITS.within(cpu)) as peer:
            try:
                _start(peer, problem, solution, room)
                if problem.inputs:
                    status, detail = _compared(peer, problem, calls(problem.task_id), expected)
                else:
                    status, detail = _checked(backend, peer, problem)
            except Ended as ended:
                status, detail = ended.args
            return status, detail, time.monotonic() - peer.exchange.started

    @lru_cache(maxsize=4)
    def values(task_id: str) -> list[bytes]:
        return _outputs(backend, asked[task_id], calls(task_id), room=None)[0]

    digests, known = {}, {}
    outputs = pool.map(lambda p: _outputs(backend, p, calls(p.task_id), _ROOM), asked.values())
    for task_id, (rights, seconds) in zip(asked, outputs, strict=True):
        digests[task_id], known[task_id] = rights, Verdict(task_id, "passed", seconds, "")

    def judge(index: int, cpu: int) -> Verdict:
        problem, solution = programs[index]
        room = _ROOM if problem.inputs else None
        status, detail, seconds = attempt(problem, solution, cpu, room, digests.get(problem.task_id, []))
        if status == _UNDECIDED:
            status, detail, seconds = attempt(problem, solution, cpu, None, values(problem.task_id))
        return Verdict(problem.task_id, status, seconds, detail)

    return judge, known


def unpacked(line: bytes) -> tuple:
    """The value of an answer. Raises Ended if no honest process sends such a one."""
    try:
        answer = wire.loads(line)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        answer = None
    if not (isinstance(answer, tuple) and answer and isinstance(answer[0], str) and (answer[0], len(answer)) in _ANSWERS):
        raise Ended("forbidden", "the solution wrote to the sandbox's own channel")
    return answer


def framed(value) -> bytes:
    """A plain value as `python_child.py` reads it."""
    data = marshal.dumps(value, 2)
    return len(data).to_bytes(4, "big") + data


def _start(peer: Peer, problem: Problem, solution: str, room: int | None) -> None:
    """Load the solution; raises Ended when it does not load."""
    peer.send(framed((solution, problem.entry_point, room)))
    answer = peer.receive()
    if answer[0] != "ready":
        status = {"syntax": "compile_error", "memory": "out_of_memory"}.get(answer[0], "runtime_error")
        raise Ended(status, str(answer[1:]))


def _answers(peer: Peer, calls: bytes, count: int) -> Iterator[bytes]:
    """The packed answer to each of `count` calls. They are written ahead: to wait for every answer would take most of the time."""
    answered = 0
    for start in range(0, len(calls), _AHEAD):
        peer.send(calls[start : start + _AHEAD])
        while peer.pending():
            answered += 1
            yield peer.receive_line()
    for _ in range(count - answered):
        yield peer.receive_line()


def _compared(peer: Peer, problem: Problem, calls: bytes, expected: list[bytes]) -> tuple[str, str]:
    """Compare the answers with the human solution's. Large ones of unlike digests may still be equal enough: that takes their values."""
    for arguments, line, right_line in zip(problem.inputs, _answers(peer, calls, len(expected)), expected, strict=True):
        if line == right_line:
            continue
        answer, right = _result(unpacked(line)), unpacked(right_line)
        if answer[0] == right[0] == "value" and matches(problem, arguments, answer[1], right[1]):
            continue
        if "digest" in (answer[0], right[0]) and all(a[0] == "value" or a[2] <= _LARGEST for a in (answer, right)):
            return _UNDECIDED, ""
        return "failed", f"wrong answer for {str(arguments)[:120]}"
    return "passed", ""


def _result(answer: tuple) -> tuple:
    """An answer that holds a result. Raises Ended for a call that failed."""
    if answer[0] not in ("value", "digest"):
        raise Ended("out_of_memory" if answer[0] == "memory" else "runtime_error", str(answer[1:])[:200])
    return answer


def _checked(backend: Backend, peer: Peer, problem: Problem) -> tuple[str, str]:
    """Let a second sandboxed process run the test source and relay its calls."""
    with Peer(backend, "python_checker.py") as checker:
        checker.send(wire.dumps([problem.prompt, problem.test, problem.entry_point]))
        ended = None
        while True:
            try:
                message = wire.loads(checker.receive_line())
            except Ended as stopped:
                return "sandbox_error", f"the checker of {problem.task_id} stopped: {stopped.args}"
            if message[0] == "verdict":
                return ended if ended and ended[0] == "out_of_memory" else (message[1], message[2])
            try:
                peer.send(framed(tuple(message[1])))
                checker.send(wire.dumps(_result(peer.receive())))
            except Ended as stopped:
                if stopped.args[0] not in ("runtime_error", "out_of_memory") or peer.exchange.process.poll() is not None:
                    raise
                ended = stopped.args
                checker.send(wire.dumps(("error", str(ended[1]))))


def _outputs(backend: Backend, problem: Problem, calls: bytes, room: int | None) -> tuple[list[bytes], float]:
    """The human solution's answers, packed: the ground truth of `inputs` problems; and the seconds that they took."""
    try:
        with Peer(backend, "python_child.py", LIMITS.within(60)) as peer:
            _start(peer, problem, problem.human_solution, room)
            rights = list(_answers(peer, calls, len(problem.inputs)))
            for right in rights:
                if not right.startswith(_RESULTS):
                    _result(unpacked(right))
            seconds = time.monotonic() - peer.exchange.started
    except Ended as ended:
        raise SandboxError(
            f"{problem.task_id}: the human solution fails on its own tests {ended.args}; check the data's version"
        ) from None
    return rights, seconds
