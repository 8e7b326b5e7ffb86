"""One pass over all texts of a model on a dataset: their ids, the entropies of the model's predictions, then every detector's score."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from stone import syntax
from stone.datasets import LANGUAGE, Problem
from stone.entropy import token_entropies
from stone.experiment import Cell
from stone.methods import METHODS
from stone.models import LoadedModel, load_tokenizer, prompt_ids
from stone.watermark import Watermark

OTHER = "other"  # cell of another model's unmarked texts: a null control


def tokenise(tokenizer, vocab_size: int, problems: Sequence[Problem], completions: Mapping[str, Sequence[Mapping]]) -> pd.DataFrame:
    """Ids of human solutions (cell "human") and of each cell's completions, all behind their prompts.

    Columns cell, task_id, sample, prompt_length, ids, vocab_size.
    """
    prompts = {p.task_id: prompt_ids(tokenizer, p.prompt) for p in problems}
    written = [("human", p.task_id, 0, tokenizer(p.reference, add_special_tokens=False)["input_ids"]) for p in problems]
    for cell, records in completions.items():
        written += [(cell, r["task_id"], r["sample"], r["token_ids"]) for r in records]
    rows = [(cell, task, sample, len(prompts[task]), prompts[task] + list(ids)) for cell, task, sample, ids in written]
    return pd.DataFrame(rows, columns=["cell", "task_id", "sample", "prompt_length", "ids"]).assign(vocab_size=vocab_size)


def scan_texts(
    loaded: LoadedModel,
    problems: Sequence[Problem],
    completions: Mapping[str, list[dict]],
    cells: Sequence[Cell],
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """`tokenise`, and what detectors read of the model's predictions: columns shannon, rank, and one `spike-g..-d..` for each setting that a
    method needs; a marked text gets what its own detectors read only (the others are empty)."""
    frame = tokenise(loaded.tokenizer, loaded.vocab_size, problems, completions)
    for name, group in frame.groupby("cell", sort=False):
        plain = name in ("human", "none", OTHER)
        wanted = [c for c in cells if METHODS[c.method].reads and (plain or c.text.name == name)]
        if wanted or plain:  # else no detector reads the predictions of this text
            columns = read_columns(loaded, group.ids.tolist(), wanted, progress)
            for column, values in columns.items():
                frame.loc[group.index, column] = pd.Series(values, index=group.index)
    return frame


def read_columns(
    loaded: LoadedModel, ids: Sequence[Sequence[int]], cells: Sequence[Cell], progress: Callable[[int], None] | None = None
) -> dict[str, list[np.ndarray]]:
    """The columns that the cells' detectors read, one float32 [L] for each text; "shannon" is always among them."""
    column_of: dict = {"shannon": "shannon"}
    for cell in cells:
        reads = METHODS[cell.method].reads
        if reads:
            column_of[cell.point if reads == "spike" else reads] = read_column(cell)
    values = token_entropies(loaded, ids, list(column_of), progress=progress)
    return {column: [v[kind] for v in values] for kind, column in column_of.items()}


def read_column(cell: Cell) -> str | None:
    """Where a cell's detector finds what it reads of the model's predictions; None if it reads nothing."""
    reads = METHODS[cell.method].reads
    return f"spike-{cell.point_name}" if reads == "spike" else reads


def detect_all(mark: Watermark, cell: Cell, texts: pd.DataFrame, scope: str, dataset: str = "") -> pd.DataFrame:
    """One detector on human, unmarked and its own marked texts of `scan_texts`.

    scope : "completion" scores what follows the prompt, "full" the prompt too, in both cases for positives and negatives alike;
    "released" scores the prompt too, but of MBPP+'s human solutions without their prompts.
    Columns method, gamma, delta, source, task_id, sample, z, p_value, scored, green, tokens.
    """
    column = read_column(cell)
    source_of = {"human": "human", "none": "unmarked", cell.text.name: "marked", OTHER: "other"}
    # Not the spike columns of all other settings: in a sweep there are as many as cells.
    needed = ["cell", "task_id", "sample", "prompt_length", "ids", *([column] if column else [])]
    chosen = texts.loc[texts.cell.isin(source_of), needed].to_dict("records")
    # The release's negatives of MBPP+ are bare references, without the prompt even as context.
    released = scope == "released" and dataset == "mbppplus"
    bare = [text["prompt_length"] if released and text["cell"] == "human" else 0 for text in chosen]
    prompts = [text["prompt_length"] if scope == "completion" else 0 for text in chosen]
    entropies = None if column is None else [text[column][b:] for text, b in zip(chosen, bare, strict=True)]
    detections = mark.detect_many([text["ids"][b:] for text, b in zip(chosen, bare, strict=True)], prompts, entropies)
    rows = [
        (source_of[t["cell"]], t["task_id"], t["sample"], d.z, d.p_value, d.scored, d.green, len(t["ids"]) - b - p)
        for t, d, b, p in zip(chosen, detections, bare, prompts, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["source", "task_id", "sample", "z", "p_value", "scored", "green", "tokens"])
    return frame.assign(**cell.setting)


def round_trip(mark: Watermark, cell: Cell, texts: pd.DataFrame) -> pd.DataFrame:
    """What decoding and encoding again does to ids and z of a cell's marked texts: a detector sees text, not the ids that were drawn.

    For methods that need no entropies. Columns task_id, sample, method, gamma, delta, tokens, survived (ids in common, in order), z (of
    the drawn ids), z_encoded (of the encoded text).
    """
    rows = []
    for text in texts.loc[texts.cell == cell.text.name, ["task_id", "sample", "prompt_length", "ids"]].to_dict("records"):
        start, ids = text["prompt_length"], list(text["ids"])
        encoded = mark.tokenizer(mark.tokenizer.decode(ids[start:]), add_special_tokens=False)["input_ids"]
        blocks = difflib.SequenceMatcher(None, ids[start:], encoded, autojunk=False).get_matching_blocks()
        scores = (mark.detect(each, prompt_length=start).z for each in (ids, ids[:start] + encoded))
        rows.append((text["task_id"], text["sample"], len(ids) - start, sum(b.size for b in blocks), *scores))
    frame = pd.DataFrame(rows, columns=["task_id", "sample", "tokens", "survived", "z", "z_encoded"])
    return frame.assign(**cell.setting)


def read_texts(paths: Iterable[str], models: Mapping[str, dict], match: str) -> pd.DataFrame:
    """Tokens of unmarked and human texts, prompt excluded: model, dataset, source, category, token, entropy (nats)."""
    frames = []
    for path in map(Path, paths):
        model, dataset = path.parent.name, path.stem
        tokenizer = load_tokenizer(models[model]["path"], models[model]["revision"])
        texts = pd.read_parquet(path, columns=["cell", "prompt_length", "ids", "shannon", "vocab_size"])
        classes = syntax.classify(tokenizer, LANGUAGE[dataset], match, int(texts.vocab_size.iloc[0]))
        strings = np.array(syntax.decode_each(tokenizer, range(len(tokenizer))), dtype=object)
        for name, source in (("human", "human"), ("none", "unmarked")):
            chosen = texts[texts.cell == name]
            ids = np.concatenate([np.asarray(i)[p:] for i, p in zip(chosen.ids, chosen.prompt_length, strict=True)])
            entropy = np.concatenate([np.asarray(h)[p:] for h, p in zip(chosen.shannon, chosen.prompt_length, strict=True)])
            category = np.array(["etc", *syntax.CATEGORIES[1:]], dtype=object)[classes[ids]]
            part = {"source": source, "category": category, "token": strings[ids], "entropy": entropy}
            frames.append(pd.DataFrame(part).assign(model=model, dataset=dataset))
    return pd.concat(frames, ignore_index=True)
