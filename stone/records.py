"""Files of an experiment: JSON lines for text, Parquet for numbers, each written whole or not at all."""

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Mapping
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


def write_cells(folder: str | Path, cells: Mapping[str, Iterable[dict]]) -> None:
    """One file of gzipped JSON lines for each cell."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, records in cells.items():
        write_jsonl(Path(folder, f"{name}.jsonl.gz"), records)


def read_cells(folder: str | Path, names: Iterable[str]) -> dict[str, list[dict]]:
    """The named cells of `write_cells`. Raises FileNotFoundError for one that is not there."""
    files = {name: Path(folder, f"{name}.jsonl.gz") for name in names}
    for file in files.values():
        if not file.exists():
            raise FileNotFoundError(f"{file} is gone; delete its folder, and the next run writes all of it again")
    return {name: read_jsonl(file) for name, file in files.items()}


def mend_journal(path: str | Path) -> None:
    """Cut off a last line that a killed run left half written, so that the next one can be appended. Only for the journal's writer."""
    if not os.path.exists(path):
        return
    with open(path, "rb+") as file:
        end = 0
        for line in file:
            end += len(line) if line.endswith(b"\n") else 0
        file.truncate(end)


def read_journal(path: str | Path) -> Iterator[dict]:
    """Records of a file of JSON lines that is written line by line; a last line that is not whole (yet) is left out."""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            yield from (json.loads(line) for line in file if line.endswith("\n"))


def write_frame(path: str | Path, frame: pd.DataFrame) -> None:
    """Parquet."""
    part = f"{path}.part"
    frame.to_parquet(part, index=False)
    os.replace(part, path)


def write_text(path: str | Path, text: str) -> None:
    part = f"{path}.part"
    Path(part).write_text(text, encoding="utf-8")
    os.replace(part, path)


def write_problems(path: str | Path, problems: Iterable[Problem]) -> None:
    """Problems with their tests; inputs of evalplus go through the sandbox's tagged form, which keeps tuples and sets."""
    from stone.sandbox.wire import pack

    write_jsonl(path, ({**asdict(p), "inputs": pack(tuple(p.inputs))} for p in problems))


def read_problems(path: str | Path) -> list[Problem]:
    from stone.sandbox.wire import unpack

    names = [f.name for f in fields(Problem)]
    return [Problem(**{n: unpack(r[n]) if n == "inputs" else r[n] for n in names}) for r in read_jsonl(path)]
