"""The same settings once more under other keys: what one key shows may be that key's luck."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from stone.datasets import Problem
from stone.evaluation import by_problem, of_cell, paired_estimates, win_rates
from stone.experiment import Cell
from stone.generation import Decoding, generate
from stone.methods import METHODS
from stone.models import LoadedModel
from stone.scan import detect_all, scan_texts, tokenise
from stone.watermark import Watermark, WatermarkConfig


def marked_texts(
    loaded: LoadedModel,
    problems: Sequence[Problem],
    configs: Mapping[Cell, WatermarkConfig],
    samples: int,
    seed: int,
    decoding: Decoding,
    scope: str,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[Cell, list[dict], pd.DataFrame]]:
    """For each cell its completions (records) and its detector's scores of them and of human code (`stone.scan.detect_all`)."""
    for cell, config in configs.items():
        mark = Watermark(config, loaded.tokenizer, vocab_size=config.vocab_size or loaded.vocab_size)
        records = [c.to_record() for c in generate(loaded, problems, mark, samples, seed, decoding, progress)]
        written = {cell.text.name: records}
        texts = (
            scan_texts(loaded, problems, written, [cell])
            if METHODS[cell.method].reads
            else tokenise(loaded.tokenizer, loaded.vocab_size, problems, written)
        )
        yield cell, records, detect_all(mark, cell, texts, scope)


def replicated_rows(
    cells: Sequence[Cell],
    verdicts: pd.DataFrame,
    detections: pd.DataFrame,
    reference: str = "stone",
    resamples: int = 500,
    seed: int = 0,
) -> pd.DataFrame:
    """Every method less the reference method under each key (column key), and over all of them (key "all"): pass@1 and AUROC, paired, with
    intervals over problems. A problem goes into a resample with all its samples under all keys.

    verdicts : cell, key, task_id, sample, status; detections : method, gamma, delta, key, source, task_id, sample, z.
    Columns method, gamma, delta, key, metric, value, low, high, n. Empty where the reference is not among the cells.
    """
    frames = []
    for cell in cells:
        base = replace(cell, method=reference)
        if cell.method == reference or base not in cells:
            continue
        right, wins = {}, {}
        for key in sorted(set(verdicts.key)):
            ran, scored = verdicts[verdicts.key == key], detections[detections.key == key]
            right[str(key)] = _passed(ran, cell) - _passed(ran, base)
            wins[str(key)] = _wins(scored, cell) - _wins(scored, base)
        right["all"], wins["all"] = (np.mean(list(found.values()), axis=0) for found in (right, wins))
        frames += [
            paired_estimates(right[key], wins[key], resamples, seed).assign(
                method=cell.method, gamma=cell.gamma, delta=cell.delta, key=key
            )
            for key in right
        ]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=["method"])


def _passed(verdicts: pd.DataFrame, cell: Cell) -> np.ndarray:
    mine = verdicts[verdicts.cell == cell.name]
    return by_problem(mine.assign(passed=mine.status == "passed"), "passed").mean(axis=1)


def _wins(detections: pd.DataFrame, cell: Cell) -> np.ndarray:
    mine = of_cell(detections, cell)
    return win_rates(by_problem(mine[mine.source == "marked"], "z"), by_problem(mine[mine.source == "human"], "z")[:, 0])
