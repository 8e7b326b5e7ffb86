"""Options and settings that several commands share."""

import hashlib
import os
import sys
from pathlib import Path
from typing import Annotated

import transformers
import typer
from rich.console import Console

from stone.watermark import WatermarkConfig

transformers.utils.logging.disable_progress_bar()  # a command's output is its answer

console = Console(highlight=False)
notes = Console(stderr=True, highlight=False)

SUFFIXES = {".py": "python", ".cpp": "cpp", ".cc": "cpp", ".cxx": "cpp", ".hpp": "cpp", ".hh": "cpp", ".h": "cpp", ".java": "java"}

ModelOption = Annotated[str | None, typer.Option("--model", help="A folder, a hub id, or the embedded `mini`.")]
RevisionOption = Annotated[str | None, typer.Option(help="Commit, tag or branch of a hub model.")]
MethodOption = Annotated[str | None, typer.Option(help="kgw, ewd, sweet, stone, stone_plus, codeip, watermod or acw.")]
GammaOption = Annotated[float | None, typer.Option(help="Share of green tokens, between 0 and 1.")]
DeltaOption = Annotated[float | None, typer.Option(help="Bias of green tokens in nats.")]
ContextOption = Annotated[int | None, typer.Option(help="Previous tokens that seed a green list.")]
LanguageOption = Annotated[str | None, typer.Option(help="python, cpp or java; guessed from a file's suffix.")]
KeyOption = Annotated[Path | None, typer.Option("--key-file", help="File with the secret key; else the variable STONE_KEY.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]

DEFAULTS = {"method": "stone", "gamma": 0.5, "delta": 2.0, "context": 1}
PUBLIC_KEY = WatermarkConfig().key


def read_key(file: Path | None) -> int:
    """The secret: a file's or STONE_KEY's content; a whole number is taken as it is, any other text through sha256.

    Without either the paper's own key is taken, and a warning says what that means. Raises ValueError for an empty key.
    """
    text = file.read_text(encoding="utf-8").strip() if file else os.environ.get("STONE_KEY", "").strip()
    if text:
        return int(text) if text.isdecimal() else int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1
    if file or "STONE_KEY" in os.environ:
        raise ValueError(f"the key in {file or 'STONE_KEY'} is empty; write a secret number or text there")
    notes.print("stone: no --key-file and no STONE_KEY: using the paper's public key, which anyone can detect and forge")
    return PUBLIC_KEY


def language_of(path: Path | None, given: str | None) -> str:
    """Raises ValueError when it is neither given nor told by the suffix."""
    found = given or (SUFFIXES.get(path.suffix.lower()) if path else None)
    if found is None:
        raise ValueError(f"the language of {path or 'standard input'} is unknown; give --language python, cpp or java")
    return found


def explicit(**options) -> dict:
    """The options that were given."""
    return {name: value for name, value in options.items() if value is not None}


def read_source(path: Path, limit: int = 4 * 2**20) -> str:
    """A program's text; "-" is standard input. Raises ValueError for a binary or a huge file."""
    raw = sys.stdin.buffer.read(limit + 1) if str(path) == "-" else _head(path, limit + 1)
    if len(raw) > limit:
        raise ValueError(f"{path} is larger than {limit // 2**20} MiB; a program is not, so give the part that is one")
    try:
        if b"\0" in raw:
            raise UnicodeDecodeError("utf-8", raw, raw.index(b"\0"), raw.index(b"\0") + 1, "zero byte")
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no UTF-8 text (byte {error.start}); give a source file") from None


def _head(path: Path, size: int) -> bytes:
    with path.open("rb") as file:
        return file.read(size)
