"""Files of an experiment: JSON lines for text, Parquet for numbers, each written whole or not at all."""

import gzip
import json
import os
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path

import pandas as pd

from stone.datasets import Problem


def write_jsonl(path: str | Path, records: Iterable[dict]) -> None:
    """Gzipped JSON lines."""
    part = f"{path}.part"
    with gzip.GzipFile(part, "wb", mtime=0) as file:
        for record in records:
            file.write(json.dumps(record, sort_keys=True).encode() + b"\n")
    os.replace(part, path)


def read_jsonl(path: str | Path) -> list[dict]:
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Parquet."""
    part = f"{path}.part"
    frame.to_parquet(part, index=False)
    os.replace(part, path)


def write_text(path: str | Path, text: str) -> None:
    part = f"{path}.part"
    Path(part).write_text(text, encoding="utf-8")
    os.replace(part, path)


def read_journal(path: Path) -> dict[str, dict]:
    """JSON lines by their `key`. A last line that a killed run left half written is cut off."""
    if not path.exists():
        return {}
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        write_text(path, whole)
    return {record["key"]: record for record in map(json.loads, whole.splitlines())}


def write_problems(path: str | Path, problems: Iterable[Problem]) -> None:
    """Problems with their tests; inputs of evalplus go through the sandbox's tagged form, which keeps tuples and sets."""
    from stone.sandbox.wire import pack

    write_jsonl(path, ({**asdict(p), "inputs": pack(tuple(p.inputs))} for p in problems))


def read_problems(path: str | Path) -> list[Problem]:
    from stone.sandbox.wire import unpack

    names = [f.name for f in fields(Problem)]
    return [Problem(**{n: unpack(r[n]) if n == "inputs" else r[n] for n in names}) for r in read_jsonl(path)]
