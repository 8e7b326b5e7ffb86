"""Seconds that marking and detecting take, measured the same way for every method: same prompts, same number of tokens, warm."""

import time
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from stone.datasets import Problem
from stone.generation import Decoding, generate
from stone.models import LoadedModel, prompt_ids
from stone.watermark import Watermark

_NEVER = 10**6  # a least length that no text reaches: every text has the full number of tokens


def time_methods(
    loaded: LoadedModel, problems: Sequence[Problem], marks: Mapping[str, Watermark | None], tokens: int, repeats: int
) -> pd.DataFrame:
    """Insertion and detection, seconds a text: columns method, repeat, insertion, detection (NaN for unmarked text).

    Each repeat draws new texts of `tokens` tokens, one batch for all problems, and detects them one by one; methods that read entropies run the
    model for that. One repeat of each method goes before and is not counted. Methods take turns, so that a disturbance hits all alike.
    """
    decoding = Decoding(max_new_tokens=tokens, stop_at_function_end=False, min_length=_NEVER, batch_size=len(problems))
    prompts = [prompt_ids(loaded.tokenizer, p.prompt) for p in problems]
    rows = []
    for repeat in range(-1, repeats):
        for name, mark in marks.items():
            start = time.perf_counter()
            texts = generate(loaded, problems, mark, 1, repeat + 1, decoding)
            insertion = time.perf_counter() - start
            start = time.perf_counter()
            for prompt, text in zip(prompts, texts, strict=True):
                if mark:
                    mark.detect(prompt + text.token_ids, len(prompt), model=loaded.model if mark.method.reads else None)
            detection = time.perf_counter() - start if mark else np.nan
            if repeat >= 0:
                rows.append((name, repeat, insertion / len(problems), detection / len(problems)))
    return pd.DataFrame(rows, columns=["method", "repeat", "insertion", "detection"])
