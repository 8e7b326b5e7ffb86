"""What a sandbox prepares for its programs and another run can use again (precompiled headers, our own classes), kept in the user's cache."""

import contextlib
import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

_UNUSED = 30 * 24 * 3600  # seconds


def kept(kind: str, made_of: Iterable[str]) -> Path:
    """Where the file made of these texts (sources, options, the tool's version) is kept, or would be."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    digest = hashlib.sha256("\0".join(made_of).encode()).hexdigest()
    return home / "stone" / f"{kind}-{digest[:32]}"


def keep(made: Path, place: Path) -> None:
    """Copy a file there as a whole or not at all; where the cache cannot be written the next run makes it again. Files that nobody has used
    for a month go."""
    with contextlib.suppress(OSError):
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as copy:
            try:
                with made.open("rb") as source:
                    shutil.copyfileobj(source, copy)
                copy.flush()
                os.fsync(copy.fileno())
                os.chmod(copy.name, 0o644)  # the sandbox's users read it
                os.replace(copy.name, place)
            except OSError:
                os.unlink(copy.name)
        for other in place.parent.iterdir():
            with contextlib.suppress(OSError):  # another run may be at it too
                if time.time() - other.stat().st_mtime > _UNUSED:
                    other.unlink()


def fetch(place: Path, to: Path) -> None:
    """Put a kept file there, without a copy where the file system allows: precompiled headers are large."""
    try:
        os.utime(place)
        os.link(place, to)
    except OSError:
        shutil.copyfile(place, to)
