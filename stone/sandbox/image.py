"""Building the sandbox's Docker image, with a registry or without."""

import shutil
import subprocess
import tempfile
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

from stone.sandbox.docker import IMAGE, connect
from stone.sandbox.exchange import SandboxError

REGISTRY_BASE = "debian:bookworm-slim"
LOCAL_BASE = "stone-debian"
_MIRROR = "http://deb.debian.org/debian"


def build(say: Callable[[str], None] = print) -> str:
    """Build the image and return its name: on Debian's image from the registry, else on one made of Debian packages (needs root and
    debootstrap). Raises SandboxError."""
    import docker

    client = connect()
    base = REGISTRY_BASE
    try:
        client.images.pull(base)
    except docker.errors.APIError as error:
        say(f"{base} cannot be pulled ({' '.join(str(error).split())[:100]}); making a base from Debian packages instead")
        base = LOCAL_BASE
        if not client.images.list(base):
            _debootstrap(client, base)
    folder = Path(str(files("stone"))).parent / "envs" / "sandbox"
    if not (folder / "Dockerfile").exists():
        raise SandboxError(f"{folder}/Dockerfile is missing; run this from a clone of the project")
    say(f"building {IMAGE} on {base}")
    try:
        client.images.build(path=str(folder), tag=IMAGE, buildargs={"BASE": base}, rm=True, network_mode="host")
    except docker.errors.BuildError as error:
        last = [line.get("stream", "") for line in error.build_log][-3:]
        raise SandboxError(f"the image cannot be built: {' '.join(' '.join(last).split())[-300:] or error.msg}") from None
    return IMAGE


def _debootstrap(client, name: str) -> None:
    if shutil.which("debootstrap") is None:
        raise SandboxError(
            "no registry answers and debootstrap is not installed; `apt-get install debootstrap`, then try again as root"
        )
    with tempfile.TemporaryDirectory(prefix="stone-image-") as folder:
        root, archive = Path(folder) / "root", Path(folder) / "root.tar"
        for command in (
            ["debootstrap", "--variant=minbase", "bookworm", str(root), _MIRROR],
            ["tar", "--directory", str(root), "--create", "--file", str(archive), "."],
        ):
            run = subprocess.run(command, capture_output=True, text=True)
            if run.returncode:
                raise SandboxError(f"{command[0]} failed: {(run.stderr or run.stdout).strip()[-200:]}")
        client.api.import_image_from_file(str(archive), repository=name, tag="latest")
