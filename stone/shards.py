"""One worker's share of an experiment's completions, and how shares become files again.

A worker loads the model once and draws the texts of many cells. Each text is remembered under a digest of all that it depends on, as soon
as its batch is done: whatever stops the worker, the next one goes on from there, and a new cell, sample or problem draws nothing else anew.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from stone.datasets import Problem
from stone.generation import Decoding, draw
from stone.models import LoadedModel
from stone.progress import progress_bar
from stone.records import mend_journal, read_journal
from stone.type_predictor import TypePredictor
from stone.watermark import Watermark, WatermarkConfig

Item = tuple[str, Problem]  # a cell's name and one of its problems


def share(items: Sequence[Any], shard: int, shards: int) -> Sequence[Any]:
    """Every shards-th item, starting with item `shard` (from 1), so that all shares are of like size and difficulty."""
    if not 1 <= shard <= shards:
        raise ValueError(f"shard is {shard}; it must be between 1 and {shards}")
    return items[shard - 1 :: shards]


def text_key(origin: Mapping[str, Any], cell: str, problem: Problem, sample: int) -> str:
    """Digest of everything that a text depends on. origin : model, watermark, decoding, seed and code, as JSON values."""
    parts = [dict(origin), cell, problem.language, problem.task_id, problem.prompt, sample]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:32]


def draw_share(
    load: Callable[[], LoadedModel],
    settings: Mapping[str, WatermarkConfig | None],
    items: Sequence[Item],
    samples: int,
    seed: int,
    decoding: Decoding,
    origin: Mapping[str, Any],
    journal: Path,
    log: str | Path,
    title: str,
    type_predictor: TypePredictor | None = None,
) -> Iterator[dict]:
    """Completions of items (cell, problem) in their order, `samples` each: records of `Completion` with the key `cell`.

    load : gives the model; called only when a text is new. settings : the watermark of each cell, None for unmarked texts.
    type_predictor : for CodeIP's cells.
    journal : this worker's memory; those beside it (`*.known.jsonl`, of workers of this or another number of shards) are read too.
    """
    rows = [(cell, problem, sample) for cell, problem in items for sample in range(samples)]
    keys = [text_key(origin, cell, problem, sample) for cell, problem, sample in rows]
    remembered = _remembered(journal, set(keys))
    new: dict[str, list[int]] = {}
    for k, (cell, _, _) in enumerate(rows):
        if keys[k] not in remembered:
            new.setdefault(cell, []).append(k)
    total = sum(map(len, new.values()))
    loaded = cache(load)
    with progress_bar(f"{title} ({len(rows)} texts, {total} new)", "text", log, total) as done, journal.open("a") as file:
        for cell, wanted in new.items():
            mark = _mark(settings[cell], loaded(), type_predictor)
            for places, texts in draw(loaded(), [rows[k][1:] for k in wanted], mark, seed, decoding):
                for place, text in zip(places, texts, strict=True):
                    key = keys[wanted[place]]
                    remembered[key] = text.to_record()
                    file.write(json.dumps({"key": key, **remembered[key]}) + "\n")
                file.flush()
                os.fsync(file.fileno())
                done(len(texts))
    return ({"cell": cell, **remembered[key]} for (cell, _, _), key in zip(rows, keys, strict=True))


def merge(
    shards: Iterable[Iterable[Mapping]], cells: Sequence[str], problems: Sequence[Problem], samples: int
) -> dict[str, list[dict]]:
    """Each cell's completions, by problem and sample, from all shares. Raises ValueError when a text is missing."""
    found = {(r["cell"], r["task_id"], r["sample"]): r for records in shards for r in records}
    merged = {}
    for cell in cells:
        wanted = [(cell, problem.task_id, sample) for problem in problems for sample in range(samples)]
        missing = [each for each in wanted if each not in found]
        if missing:
            raise ValueError(f"the shards lack {len(missing)} texts, the first being {missing[0]}; draw them again")
        merged[cell] = [{k: v for k, v in found[each].items() if k != "cell"} for each in wanted]
    return merged


def _mark(settings: WatermarkConfig | None, loaded: LoadedModel, predictor: TypePredictor | None) -> Watermark | None:
    return Watermark(settings, loaded.tokenizer, settings.vocab_size or loaded.vocab_size, predictor) if settings else None


def _remembered(journal: Path, keys: set[str]) -> dict[str, dict]:
    """What this worker and the others in its folder have drawn, of these keys."""
    mend_journal(journal)
    found = (record for path in sorted(journal.parent.glob("*.known.jsonl")) for record in read_journal(path))
    return {record.pop("key"): record for record in found if record["key"] in keys}
