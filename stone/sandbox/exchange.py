"""Limits of a run, and a bounded exchange of bytes with a started process, wherever it runs."""

import os
import selectors
import signal
import subprocess
import time
from dataclasses import dataclass, field, replace
from typing import IO, Protocol


class SandboxError(RuntimeError):
    """The sandbox itself does not work; nothing is said about the programs."""


class Process(Protocol):
    """A started command; stdin, stdout and stderr are pipes. fault() tells, after its end, why the sandbox failed to run it, if so."""

    @property
    def stdin(self) -> IO[bytes]: ...
    @property
    def stdout(self) -> IO[bytes]: ...
    @property
    def stderr(self) -> IO[bytes]: ...
    @property
    def returncode(self) -> int | None: ...

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def kill_all(self) -> None: ...
    def fault(self) -> str | None: ...


@dataclass(frozen=True)
class Limits:
    """What one run may use: CPU and wall seconds, bytes of address space, of a file and of all output, processes and threads."""

    cpu: int = 10
    wall: float = 30.0
    memory: int = 2 * 2**30
    file: int = 64 * 2**20
    output: int = 2**20
    processes: int = 64

    def within(self, cpu: int) -> "Limits":
        """The same limits with other CPU seconds; waiting may take three times as long and a little more."""
        return replace(self, cpu=cpu, wall=3.0 * cpu + 5)


@dataclass(frozen=True)
class Run:
    """How a command ended: exit code (negative: signal), what it wrote (bounded), wall seconds, and which cap it hit."""

    code: int
    stdout: bytes
    stderr: bytes
    seconds: float
    hit: str | None = None  # "timeout" or "output_limit"
    fault: str | None = None  # what went wrong in the sandbox itself


def cut_short(run: Run, limits: Limits) -> tuple[str, str] | None:
    """Status and detail of a run that a limit or a fault ended; None if the command came to an end of its own."""
    if run.fault:
        return "sandbox_error", run.fault
    if run.hit:
        return run.hit, f"after {run.seconds:.1f} s"
    if run.code == -signal.SIGXCPU or (run.code == -signal.SIGKILL and run.seconds >= limits.cpu):
        return "timeout", "CPU limit"
    return None


@dataclass
class Exchange:
    """A started process and its pipes, read with caps on time and bytes; everything is killed on exit."""

    process: Process
    limits: Limits
    started: float = field(default_factory=time.monotonic)
    buffers: dict = field(default_factory=dict)
    hit: str | None = None

    def __enter__(self) -> "Exchange":
        self.buffers = {self.process.stdout: bytearray(), self.process.stderr: bytearray()}
        self.selector = selectors.DefaultSelector()
        for pipe in self.buffers:
            os.set_blocking(pipe.fileno(), False)
            self.selector.register(pipe, selectors.EVENT_READ)
        os.set_blocking(self.process.stdin.fileno(), False)
        return self

    def __exit__(self, *_) -> None:
        self.process.kill_all()
        self.process.wait()
        self.selector.close()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def read_some(self) -> bool:
        """Read what is there; False when both pipes are closed or a cap is hit."""
        left = self.limits.wall - (time.monotonic() - self.started)
        if left <= 0:
            self.hit = "timeout"
            return False
        for key, _ in self.selector.select(timeout=min(left, 1.0)):
            chunk = os.read(key.fd, 65536)
            if not chunk:
                self.selector.unregister(key.fileobj)
            self.buffers[key.fileobj] += chunk
        if sum(map(len, self.buffers.values())) > self.limits.output:
            self.hit = "output_limit"
            return False
        return bool(self.selector.get_map())

    def write(self, data: bytes) -> None:
        """Feed stdin while reading, so that neither side blocks. A closed pipe is no error: the exit tells."""
        view = memoryview(data)
        while view and self.hit is None:
            try:
                view = view[os.write(self.process.stdin.fileno(), view) :]
            except BlockingIOError:
                if not self.read_some():
                    return
            except BrokenPipeError:
                return

    def finish(self, data: bytes = b"") -> Run:
        """Send the rest of the input and wait for the end."""
        self.write(data)
        self.process.stdin.close()
        while self.hit is None and self.read_some():
            pass
        if self.hit is None:
            try:
                self.process.wait(timeout=max(0.1, self.limits.wall - (time.monotonic() - self.started)))
            except subprocess.TimeoutExpired:
                self.hit = "timeout"
        if self.hit:
            self.process.kill_all()
            self.process.wait()
        code = self.process.returncode or 0
        code = 128 - code if code > 128 else code  # bubblewrap reports a signal as 128 + n
        fault = None if self.hit else self.process.fault()
        out, err = (bytes(buffer[-self.limits.output :]) for buffer in self.buffers.values())
        if fault and err.strip():
            fault += f": {err.decode(errors='replace').strip().splitlines()[-1][:200]}"
        return Run(code, out, err, time.monotonic() - self.started, self.hit, fault)
