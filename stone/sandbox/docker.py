"""Docker: warm, hardened containers, one command at a time in each, every command as a user of its own (`docker_runner.py`)."""

import contextlib
import json
import os
import struct
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from queue import Empty, LifoQueue
from typing import Any

from stone.sandbox.bubblewrap import fresh_user
from stone.sandbox.exchange import Limits, SandboxError

IMAGE = "stone-sandbox"
WORKSPACE_MODE = 0o711  # names in it are random and can't be listed from within
_RUNNER = (Path(__file__).parent / "docker_runner.py").read_text()
_MEMORY = 4 * 2**30  # of a container; a run's address space is limited besides
_CAPABILITIES = ["SETUID", "SETGID", "KILL", "CHOWN", "DAC_OVERRIDE", "FOWNER"]  # of the runner; runs have none


def connect():
    """A client of the engine that answers here. Raises SandboxError."""
    import docker

    try:
        client = docker.from_env(timeout=60)
        client.ping()
    except docker.errors.DockerException as error:
        reason = " ".join(str(error).split())[:160]
        raise SandboxError(f"no Docker engine answers ({reason}); start it, or install docker.io") from None
    return client


@lru_cache(maxsize=1)
def docker_trouble() -> str | None:
    """Why Docker cannot be used; None if an engine answers and the image is there."""
    try:
        client = connect()
    except SandboxError as error:
        return str(error)
    if not client.images.list(IMAGE):
        return f"Docker answers but the image {IMAGE} is missing; build it with `stone sandbox build`"
    return None


class ContainerProcess:
    """A command in a container, with pipes as of a local process; the container goes back to its backend when the command has ended."""

    def __init__(self, backend: "Docker", container: "Container", request: dict):
        self.returncode: int | None = None
        self._fault: str | None = None
        self._ended = threading.Event()
        self._backend, self._container = backend, container
        inner, self._out, self._err = os.pipe(), os.pipe(), os.pipe()
        self.stdin = os.fdopen(inner[1], "wb", buffering=0)
        self.stdout, self.stderr = (os.fdopen(pipe[0], "rb", buffering=0) for pipe in (self._out, self._err))
        container.send(b"R", json.dumps(request).encode())
        for work in (self._drain, lambda: self._feed(inner[0])):
            threading.Thread(target=work, daemon=True).start()

    def _feed(self, source: int) -> None:
        with contextlib.suppress(OSError), os.fdopen(source, "rb", buffering=0) as pipe:
            while chunk := pipe.read(1 << 16):
                if self._ended.is_set():
                    return
                self._container.send(b"I", chunk)
            if not self._ended.is_set():
                self._container.send(b"E", b"")

    def _drain(self) -> None:
        ends = {b"O": self._out[1], b"F": self._err[1]}
        try:
            while True:
                kind, body = self._container.receive()
                if kind == b"X":
                    break
                with contextlib.suppress(BrokenPipeError):  # nobody reads on
                    view = memoryview(body)
                    while view:
                        view = view[os.write(ends[kind], view) :]
            report = json.loads(body)
            self.returncode = report["code"]
            if report["code"] == 125:
                self._fault = "the container could not start the command"
            elif report["out_of_memory"]:
                with contextlib.suppress(BrokenPipeError):
                    os.write(ends[b"F"], b"\nstd::bad_alloc OutOfMemoryError MemoryError\n")
            self._backend.give_back(self._container)
        except (OSError, EOFError) as error:
            self.returncode, self._fault = 125, f"the container ended ({error or type(error).__name__})"
            self._container.remove()
        finally:
            self._ended.set()
            for end in ends.values():
                os.close(end)

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        if not self._ended.wait(timeout):
            raise subprocess.TimeoutExpired("container", timeout or 0)
        return self.returncode if self.returncode is not None else 125

    def kill_all(self) -> None:
        if not self._ended.is_set():
            with contextlib.suppress(OSError):
                self._container.send(b"K", b"")
            self.stdout.close()  # what still comes has no reader: it must not block
            self.stderr.close()

    def fault(self) -> str | None:
        return self._fault


@dataclass
class Container:
    """A running container and the socket to its runner."""

    handle: Any
    socket: Any
    buffer: bytearray = field(default_factory=bytearray)  # what the runner wrote
    raw: bytearray = field(default_factory=bytearray)  # the same in the engine's envelopes
    lock: threading.Lock = field(default_factory=threading.Lock)

    def send(self, kind: bytes, body: bytes) -> None:
        with self.lock:
            self.socket.sendall(kind + struct.pack(">I", len(body)) + body)

    def receive(self) -> tuple[bytes, bytes]:
        """The runner's next frame. Raises EOFError when the container is gone."""
        while len(self.buffer) < 5 or len(self.buffer) < 5 + struct.unpack(">I", self.buffer[1:5])[0]:
            chunk = self.socket.recv(1 << 16)
            if not chunk:
                raise EOFError("its runner stopped")
            self.raw += chunk
            while len(self.raw) >= 8 and len(self.raw) >= 8 + struct.unpack(">I", self.raw[4:8])[0]:
                size = struct.unpack(">I", self.raw[4:8])[0]
                if self.raw[0] == 1:  # 2 is the runner's stderr
                    self.buffer += self.raw[8 : 8 + size]
                del self.raw[: 8 + size]
        size = struct.unpack(">I", self.buffer[1:5])[0]
        kind, body = bytes(self.buffer[:1]), bytes(self.buffer[5 : 5 + size])
        del self.buffer[: 5 + size]
        return kind, body

    def remove(self) -> None:
        import docker
        import requests

        with contextlib.suppress(OSError):
            self.socket.close()
        # An engine that is gone needs no telling: the closed socket ends the runner, and the container removes itself.
        with contextlib.suppress(docker.errors.APIError, requests.RequestException):
            self.handle.remove(force=True)


class Docker:
    """Hands out warm containers; as many as run at once."""

    name = "docker"

    def __init__(self, why: str):
        self.why, self.client = why, connect()
        self.workspace = tempfile.TemporaryDirectory(prefix="stone-docker-")
        os.chmod(self.workspace.name, WORKSPACE_MODE)
        self._free: LifoQueue[Container] = LifoQueue()
        self._all: list[Container] = []

    def popen(self, command: list[str], limits: Limits, readable=(), private=(), writable=()) -> ContainerProcess:
        """Start a command, see `stone.sandbox.backends.Backend`."""
        request = {
            "argv": command,
            "user": fresh_user(),
            "owner": os.getuid(),
            "private": list(map(str, private)),
            "writable": list(map(str, writable)),
            "limits": {
                "AS": [limits.memory] * 2,
                "CPU": [limits.cpu, limits.cpu + 1],
                "FSIZE": [limits.file] * 2,
                "NPROC": [limits.processes] * 2,
                "NOFILE": [256] * 2,
                "CORE": [0] * 2,
                "MSGQUEUE": [0] * 2,
            },
        }
        while True:
            container = self._container()
            try:
                return ContainerProcess(self, container, request)
            except OSError:  # it died while it was idle
                container.remove()

    def give_back(self, container: Container) -> None:
        self._free.put(container)

    def close(self) -> None:
        """Remove all containers and the workspace."""
        for container in self._all:
            container.remove()
        self.workspace.cleanup()

    def _container(self) -> Container:
        try:
            return self._free.get_nowait()
        except Empty:
            pass
        try:
            handle = self.client.containers.create(
                IMAGE, ["/usr/bin/python3", "-I", "-S", "-u", "-c", _RUNNER], **self._hardening()
            )
            socket = handle.attach_socket(params={"stdin": 1, "stdout": 1, "stream": 1})._sock
            handle.start()
        except Exception as error:  # the SDK raises its own, requests' and urllib3's
            raise SandboxError(f"Docker cannot start a container: {' '.join(str(error).split())[:200]}") from error
        container = Container(handle, socket)
        self._all.append(container)
        return container

    def _hardening(self) -> dict[str, Any]:
        from docker.types import LogConfig

        place = {"bind": self.workspace.name, "mode": "rw"}
        return {
            "network_mode": "none",
            "read_only": True,
            "tmpfs": {"/tmp": "rw,exec,nosuid,nodev,size=64m,nr_inodes=20k,mode=1777"},
            "volumes": {self.workspace.name: place},
            "mem_limit": _MEMORY,
            "memswap_limit": _MEMORY,
            "pids_limit": 320,
            "cap_drop": ["ALL"],
            "cap_add": _CAPABILITIES,
            "security_opt": ["no-new-privileges"],
            "ipc_mode": "none",
            "log_config": LogConfig(type="none"),
            "user": "0:0",
            "stdin_open": True,
            "auto_remove": True,
            "labels": {"stone": "sandbox"},
        }
