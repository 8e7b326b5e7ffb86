"""bubblewrap: namespaces around every run (no network, read-only system, an unprivileged user of its own), limits by prlimit."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import IO, Any

from stone.sandbox.exchange import Exchange, Limits

_UIDS = count()  # as root, each run gets an unprivileged uid of its own
PIPES: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "start_new_session": True}


def fresh_user() -> int:
    """A user id that no other run of this process has had for a long time, and not our own."""
    user = 200_000 + next(_UIDS) % 50_000
    return user if user != os.getuid() else fresh_user()


class LocalProcess(subprocess.Popen[bytes]):
    """A process of this machine in a session of its own."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]
    status: IO[str] | None = None  # where bubblewrap writes what became of the command

    def kill_all(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)

    def fault(self) -> str | None:
        """bubblewrap reports an exit code only if the command was started: without one, the sandbox failed."""
        if self.status is None:
            return None
        with self.status:
            reports = [json.loads(line) for line in self.status.read().splitlines()]
        self.status = None
        return None if any("exit-code" in report for report in reports) else "bubblewrap could not start the command"


def rlimits(limits: Limits) -> list[str]:
    """The command prefix that sets resource limits."""
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


@dataclass(frozen=True)
class Bubblewrap:
    """See the module."""

    why: str
    name: str = "bubblewrap"

    def popen(self, command: list[str], limits: Limits, readable=(), private=(), writable=()) -> LocalProcess:
        """Start a command, see `stone.sandbox.backends.Backend`."""
        user = fresh_user()
        as_user: dict[str, Any] = {"user": user, "group": user, "extra_groups": []} if os.getuid() == 0 else {}
        for folder in private if as_user else ():
            os.chown(folder, -1, user)
            os.chmod(folder, 0o750)
        for folder in writable if as_user else ():
            os.chown(folder, user, user)
        status, end = os.pipe()
        wall = [*_wall(limits, [*readable, *private], writable), "--json-status-fd", str(end), "--"]
        process = LocalProcess([*wall, *rlimits(limits), *command], env={}, pass_fds=[end], **as_user, **PIPES)
        os.close(end)
        process.status = os.fdopen(status)
        return process

    def close(self) -> None:
        """Nothing stays open."""


def _wall(limits: Limits, readable, writable) -> list[str]:
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
    return [*command, "--remount-ro", "/", "--chdir", "/tmp"]


@lru_cache(maxsize=1)
def bubblewrap_trouble() -> str | None:
    """Why bubblewrap does not work, from a trial run; None if it does."""
    if shutil.which("bwrap", path="/usr/bin") is None:
        return "bubblewrap (/usr/bin/bwrap) is not installed"
    limits = Limits(wall=20)
    with Exchange(Bubblewrap("trial").popen(["/bin/true"], limits), limits) as trial:
        run = trial.finish()
    return None if run.code == 0 else f"bubblewrap fails ({run.stderr.decode(errors='replace').strip()[:200] or run.code})"
