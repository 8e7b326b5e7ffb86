"""No isolation at all: resource limits only, for programs that you trust."""

import os
import tempfile
from dataclasses import dataclass

from stone.sandbox.bubblewrap import PIPES, LocalProcess, rlimits
from stone.sandbox.exchange import Limits


@dataclass(frozen=True)
class Bare:
    """The backend named "subprocess"."""

    why: str
    name: str = "subprocess"

    def popen(self, command: list[str], limits: Limits, readable=(), private=(), writable=()) -> LocalProcess:
        """Start a command as the user that runs this."""
        environment = {"PATH": os.environ["PATH"]}
        return LocalProcess([*rlimits(limits), *command], env=environment, cwd=tempfile.gettempdir(), **PIPES)

    def close(self) -> None:
        """Nothing stays open."""
