"""The motivating example: one task where a baseline's marked program breaks and STONE's runs, from real verdicts."""

from collections.abc import Sequence

import pandas as pd

from stone.experiment import Cell
from stone.syntax import decode_each
from stone.tokenview import TokenView, views
from stone.watermark import Watermark


def broken_pair(verdicts: pd.DataFrame, baselines: Sequence[Cell], stone: Cell) -> tuple[Cell, str, int] | None:
    """The first (baseline, task, sample) that passes unmarked and with STONE and fails with the baseline; None if there is none.

    verdicts : columns cell, task_id, sample, status. Same task and sample means same noise.
    """
    passed = verdicts.assign(passed=verdicts.status == "passed").pivot(index=["task_id", "sample"], columns="cell", values="passed")
    for baseline in baselines:
        found = passed[passed["none"] & passed[stone.text.name] & ~passed[baseline.text.name]]
        if len(found):
            task_id, sample = found.index[0]
            return baseline, str(task_id), int(sample)
    return None


def tokens_of(texts: pd.DataFrame, cell: Cell, task_id: str, sample: int, mark: Watermark) -> list[TokenView]:
    """How each token of a cell's text was scored; the prompt is unscored. texts : `stone.scan.scan_texts`'s rows."""
    (text,) = texts[(texts.cell == cell.text.name) & (texts.task_id == task_id) & (texts["sample"] == sample)].itertuples()
    ids = list(map(int, text.ids))
    return views(mark, ids, decode_each(mark.tokenizer, ids), mark.detect(ids, prompt_length=int(text.prompt_length)))
