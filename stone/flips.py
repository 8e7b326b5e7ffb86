"""Where the mark changed what would have been written, by kind of token, and whether that broke the program: the paper's central claim.

All methods see the same noise, so at every position of a marked text the token that unmarked sampling would have drawn after the same
prefix is known: a flip is a position where another one stands.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
import torch

from stone.datasets import Problem
from stone.generation import Decoding
from stone.models import LoadedModel, read_logits
from stone.sampling import KeyedSampler, stream_of
from stone.syntax import CATEGORIES, classify


def drawn_unmarked(
    loaded: LoadedModel, texts: pd.DataFrame, seed: int, decoding: Decoding, progress: Callable[[int], None] | None = None
) -> list[np.ndarray]:
    """For each text the ids that unmarked sampling would have drawn from its prompt's end on, each after the text's own prefix.

    texts : columns task_id, sample, prompt_length, ids. Habits of the authors' release (min_length, no_repeat_ngram_size) are not replayed.
    """
    ids, begins = texts.ids.tolist(), texts.prompt_length.to_numpy()
    streams = torch.tensor([stream_of(t, s) for t, s in zip(texts.task_id, texts["sample"], strict=True)])
    lengths = np.array([len(text) for text in ids])
    ends = np.cumsum(lengths - begins)
    drawn = np.zeros(ends[-1], dtype=np.int64)  # of all texts, one after the other
    for rows, start, logits in read_logits(loaded, ids, progress=progress):
        places = start + np.arange(logits.shape[1])[None]
        row, column = np.nonzero((places >= begins[rows][:, None]) & (places < lengths[rows][:, None]))
        if len(row):
            text, place = np.array(rows)[row], places[0, column]
            sampler = KeyedSampler(seed, streams[text].to(logits.device), 0, decoding.temperature, decoding.top_k)
            picked = sampler.pick(logits[row, column], torch.from_numpy(place - begins[text]).to(logits.device))
            drawn[ends[text] - lengths[text] + place] = picked.cpu().numpy()
    return np.split(drawn, ends[:-1])


def flips(
    loaded: LoadedModel,
    problems: list[Problem],
    texts: pd.DataFrame,
    seed: int,
    decoding: Decoding,
    match: str,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Flips of every text by the class of the token that would have been drawn.

    Columns cell, task_id, sample, category ("etc" for no syntax element), tokens, flips.
    """
    classes = classify(loaded.tokenizer, problems[0].language, match, loaded.vocab_size)
    names = np.array(["etc", *CATEGORIES[1:]], dtype=object)
    rows = []
    for text, drawn in zip(texts.itertuples(), drawn_unmarked(loaded, texts, seed, decoding, progress), strict=True):
        flipped = drawn != np.asarray(text.ids)[text.prompt_length :]
        for category in np.unique(classes[drawn]):
            here = classes[drawn] == category
            rows.append((text.cell, text.task_id, text.sample, names[category], int(here.sum()), int((here & flipped).sum())))
    return pd.DataFrame(rows, columns=["cell", "task_id", "sample", "category", "tokens", "flips"])


def flip_table(found: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Flips x class x verdict: one row per cell and class.

    found : of `flips`; verdicts : columns cell, task_id, sample, status. Only programs whose unmarked twin (same task, sample and noise) passes
    are asked whether the mark broke them: those with a flip of the class, and those without one.
    """
    passed = verdicts.assign(passed=verdicts.status == "passed")[["cell", "task_id", "sample", "passed"]]
    twin = passed[passed.cell == "none"].drop(columns="cell").rename(columns={"passed": "twin"})
    programs = passed.merge(twin, on=["task_id", "sample"])
    rows = []
    for (cell, category), group in found.groupby(["cell", "category"], sort=False):
        mine = programs[(programs.cell == cell) & programs.twin]
        touched = group[group.flips > 0][["task_id", "sample"]].assign(touched=True)
        mine = mine.merge(touched, on=["task_id", "sample"], how="left")
        with_flip, without = mine[mine.touched.notna()], mine[mine.touched.isna()]
        rows.append(
            {
                "cell": cell,
                "category": category,
                "Tokens": group.tokens.sum(),
                "Flips": group.flips.sum(),
                "Flipped (%)": 100 * group.flips.sum() / group.tokens.sum(),
                "Programs with": len(with_flip),
                "Broken (%) with": 100 * (1 - with_flip.passed.mean()) if len(with_flip) else np.nan,
                "Programs without": len(without),
                "Broken (%) without": 100 * (1 - without.passed.mean()) if len(without) else np.nan,
            }
        )
    return pd.DataFrame(rows)
