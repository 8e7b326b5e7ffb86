"""Null controls: what a detector says of text that does not carry its mark, over many keys."""

from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from stone.experiment import Cell
from stone.metrics import auroc
from stone.scan import detect_all
from stone.watermark import Watermark, WatermarkConfig

ALPHA = 0.01  # p-value below which a text counts as marked
CONTROLS = {"human": "Human code", "unmarked": "Delta 0", "marked": "Wrong key", "other": "Other model's text"}


def other_keys(config: WatermarkConfig, tokenizer, vocab_size: int, n: int, seed: int) -> list[int]:
    """Random keys that mark in n different ways, none of them the config's: several keys may stand for one message of CodeIP. Fewer where there
    are no more ways."""
    seen, chosen = [Watermark(config, tokenizer, vocab_size=vocab_size).partition], []
    for key in map(int, np.random.default_rng(seed).integers(1, 2**31, size=50 * n)):
        partition = Watermark(replace(config, key=key), tokenizer, vocab_size=vocab_size).partition
        if partition not in seen:
            seen.append(partition)
            chosen.append(key)
        if len(chosen) == n:
            break
    return chosen


def null_controls(
    config: WatermarkConfig, cell: Cell, tokenizer, texts: pd.DataFrame, scope: str, dataset: str, keys: int = 20, seed: int = 0
) -> pd.DataFrame:
    """AUROC against human code (0.5 is right) and false-positive rate at p < 0.01, over `keys` keys that marked nothing here.

    texts : `stone.scan.scan_texts`'s rows; cells "human", "none", the method's own and perhaps "other" (unmarked text of another model).
    Columns Control, Texts, Keys, AUROC, AUROC 95 %, FPR, FPR distinct: the same when each distinct (context, token) counts once.
    The interval is that of the mean over keys.
    """
    vocab_size = config.vocab_size or int(texts.vocab_size.iloc[0])
    found = []
    for key, distinct in product(other_keys(config, tokenizer, vocab_size, keys, seed), (False, True)):
        mark = Watermark(replace(config, key=key, distinct=distinct), tokenizer, vocab_size=vocab_size)
        found.append(detect_all(mark, cell, texts, scope, dataset).assign(key=key, distinct=distinct))
    scores = pd.concat(found, ignore_index=True)
    plain = scores[~scores.distinct]
    rows = []
    for source, name in CONTROLS.items():
        mine = scores[scores.source == source]
        if mine.empty:
            continue
        areas = np.array(
            [auroc(g[g.source == source].z, g[g.source == "human"].z) for _, g in plain.groupby("key")]
            if source != "human"
            else [np.nan]
        )
        half = 1.96 * areas.std(ddof=1) / np.sqrt(len(areas)) if len(areas) > 1 else np.nan
        rate = (mine.p_value < ALPHA).groupby(mine.distinct).mean()
        rows.append(
            {
                "Control": name,
                "Texts": int((mine.distinct & (mine.key == mine.key.iloc[0])).sum()),
                "Keys": mine.key.nunique(),
                "AUROC": areas.mean(),
                "AUROC 95 %": "–" if np.isnan(half) else f"[{areas.mean() - half:.3f}, {areas.mean() + half:.3f}]",
                "FPR at p < 0.01": rate[False],
                "FPR distinct": rate[True],
            }
        )
    return pd.DataFrame(rows)
