"""Ways to isolate a command. A backend starts it, with limits, behind a wall; `pick_backend` chooses one that works."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from stone.sandbox.bare import Bare
from stone.sandbox.bubblewrap import Bubblewrap, bubblewrap_trouble
from stone.sandbox.docker import Docker, docker_trouble
from stone.sandbox.exchange import Exchange, Limits, Process, Run, SandboxError

_SPACE = 16 * 2**20  # bytes that a compiled program may need
BACKENDS = ("auto", "docker", "bubblewrap", "subprocess")


class Backend(Protocol):
    """popen starts a command. Folders of the host that it sees, under their own paths: `readable` (by all runs), `private` (read by this
    run alone), `writable` (by this run alone)."""

    @property
    def name(self) -> str: ...
    @property
    def why(self) -> str: ...

    def popen(self, command: list[str], limits: Limits, readable=(), private=(), writable=()) -> Process: ...
    def close(self) -> None: ...


def run(backend: Backend, command: list[str], limits: Limits, data: bytes = b"", readable=(), private=(), writable=()) -> Run:
    """Run a command to its end, feeding `data` to its stdin."""
    with Exchange(backend.popen(command, limits, readable, private, writable), limits) as exchange:
        return exchange.finish(data)


def workspace(backend: Backend, prefix: str) -> tempfile.TemporaryDirectory:
    """A folder of the host for the files of runs; others may pass through it but not list it. It goes with the returned object."""
    parent = backend.workspace.name if isinstance(backend, Docker) else None
    folder = tempfile.TemporaryDirectory(prefix=prefix, dir=parent)
    os.chmod(folder.name, 0o711)
    return folder


def disk_full(folder: Path) -> str | None:
    """A fault of the machine that would look like a fault of the program that is compiled in a folder."""
    free = shutil.disk_usage(folder).free
    return f"only {free / 2**20:.1f} MiB are left on the disk of {folder}; free some, or set TMPDIR" if free < _SPACE else None


@contextmanager
def pick_backend(name: str) -> Iterator[Backend]:
    """The named backend, or with "auto" the first that works of Docker and bubblewrap; then it says on stderr what it took and why.

    Raises SandboxError with what to install when none works.
    """
    backend = _pick(name)
    try:
        yield backend
    finally:
        backend.close()


def _pick(name: str) -> Backend:
    if name not in BACKENDS:
        raise SandboxError(f"sandbox backend {name!r} is unknown; choose one of {', '.join(BACKENDS)}")
    asked = "asked for by name"
    if name == "subprocess":
        return Bare(f"{asked}; programs run with resource limits but without isolation")
    no_docker = docker_trouble() if name != "bubblewrap" else None
    if name == "docker" and no_docker:
        raise SandboxError(no_docker)
    if name == "docker" or (name == "auto" and not no_docker):
        return _announced(Docker("an engine answers and has the image" if name == "auto" else asked), name)
    trouble = bubblewrap_trouble()
    if trouble:
        reasons = f"{no_docker}; {trouble}" if no_docker else trouble
        raise SandboxError(f"no sandbox works here: {reasons}; `apt-get install bubblewrap` is the quickest way to one")
    return _announced(Bubblewrap(f"not Docker: {no_docker}" if name == "auto" else asked), name)


def _announced(backend: Backend, name: str) -> Backend:
    if name == "auto":
        _say_once(f"sandbox: {backend.name} ({backend.why})")
    return backend


@lru_cache(maxsize=8)
def _say_once(line: str) -> None:
    print(line, file=sys.stderr)
