"""Isolation: a command line around the untrusted one, resource limits, and a bounded exchange of bytes with it."""

import contextlib
import os
import selectors
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import count
from pathlib import Path

BACKENDS = ("auto", "bubblewrap", "subprocess")
_UIDS = count()  # as root, each run gets an unprivileged uid of its own


class SandboxError(RuntimeError):
    """The sandbox itself does not work; nothing is said about the programs."""


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


@dataclass(frozen=True)
class Backend:
    """A way to run commands in isolation."""

    name: str
    why: str

    def popen(self, command: list[str], limits: Limits, readable=(), writable=(), **pipes) -> subprocess.Popen:
        """Start a command; `readable` and `writable` are host folders that it sees under their own paths."""
        capped = [*_rlimits(limits), *command]
        if self.name == "subprocess":
            return subprocess.Popen(
                capped, start_new_session=True, env={"PATH": os.environ["PATH"]}, cwd=tempfile.gettempdir(), **pipes
            )
        user = 200_000 + next(_UIDS) % 50_000
        as_user = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
        for folder in writable if as_user else ():
            os.chown(folder, user, user)
        return subprocess.Popen(
            [*_bubblewrap(limits, readable, writable), *capped], start_new_session=True, env={}, **as_user, **pipes
        )

    def run(self, command: list[str], limits: Limits, data: bytes = b"", readable=(), writable=()) -> Run:
        """Run a command to its end, feeding `data` to its stdin."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with Exchange(self.popen(command, limits, readable, writable, **pipes), limits) as exchange:
            return exchange.finish(data)


def _rlimits(limits: Limits) -> list[str]:
    return [
        "/usr/bin/prlimit",
        f"--as={limits.memory}",
        f"--cpu={limits.cpu}:{limits.cpu + 1}",
        f"--fsize={limits.file}",
        f"--nproc={limits.processes}",
        "--nofile=256",
        "--core=0",
        "--msgqueue=0",
        "--",
    ]


def _bubblewrap(limits: Limits, readable, writable) -> list[str]:
    command = [
        "/usr/bin/bwrap",
        "--unshare-all",
        "--unshare-user",
        "--disable-userns",
        "--die-with-parent",
        "--new-session",
        "--as-pid-1",
    ]
    command += ["--cap-drop", "ALL", "--clearenv", "--setenv", "PATH", "/usr/bin", "--setenv", "LANG", "C.UTF-8"]
    command += ["--ro-bind", "/usr", "/usr"]
    for link in ("lib", "lib64", "bin", "sbin"):
        if Path(f"/{link}").is_symlink():
            command += ["--symlink", f"usr/{link}", f"/{link}"]
    for path in ("/etc/alternatives", "/etc/ld.so.cache", *map(str, Path("/etc").glob("java-*"))):
        command += ["--ro-bind-try", path, path]
    command += ["--proc", "/proc", "--dev", "/dev", "--size", str(limits.file), "--tmpfs", "/tmp"]
    for folder in readable:
        command += ["--ro-bind", str(folder), str(folder)]
    for folder in writable:
        command += ["--bind", str(folder), str(folder)]
    return [*command, "--remount-ro", "/", "--chdir", "/tmp", "--"]


@dataclass
class Exchange:
    """A started process and its pipes, read with caps on time and bytes; everything is killed on exit."""

    process: subprocess.Popen
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
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
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
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        code = self.process.returncode
        code = 128 - code if code > 128 else code  # bubblewrap reports a signal as 128 + n
        out, err = (bytes(buffer[-self.limits.output :]) for buffer in self.buffers.values())
        return Run(code, out, err, time.monotonic() - self.started, self.hit)


def pick_backend(name: str) -> Backend:
    """The named backend, or the safest one that works; "auto" says on stderr what it took and why. Raises SandboxError."""
    if name not in BACKENDS:
        raise SandboxError(f"sandbox backend {name!r} is unknown; choose one of {', '.join(BACKENDS)}")
    if name == "subprocess":
        return Backend("subprocess", "asked for by name; programs run with resource limits but without isolation")
    trouble = _bubblewrap_trouble()
    if trouble:
        raise SandboxError(f"no sandbox works here: {trouble}; install it with `apt-get install bubblewrap`")
    backend = Backend("bubblewrap", "it runs here" if name == "auto" else "asked for by name")
    if name == "auto":
        _announce(backend)
    return backend


@lru_cache(maxsize=8)
def _announce(backend: Backend) -> None:
    print(f"sandbox: {backend.name} ({backend.why})", file=sys.stderr)


@lru_cache(maxsize=1)
def _bubblewrap_trouble() -> str | None:
    """Why bubblewrap does not work, from a trial run; None if it does."""
    if shutil.which("bwrap", path="/usr/bin") is None:
        return "bubblewrap (/usr/bin/bwrap) is not installed"
    run = Backend("bubblewrap", "trial").run(["/bin/true"], Limits(wall=20))
    return None if run.code == 0 else f"bubblewrap fails ({run.stderr.decode(errors='replace').strip()[:200] or run.code})"
