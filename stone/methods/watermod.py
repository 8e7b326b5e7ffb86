"""WaterMod (Park et al. 2025, "WaterMod: Modular Token-Rank Partitioning for Probability-Balanced LLM Watermarking"), zero-bit, k = 2.

At each step the vocabulary is sorted by the model's probability and split by rank modulo 2; one parity is green and gets +delta. The two
most probable tokens always differ in parity, so one of them is green whatever the key says. Detection ranks each token by the model again.

The published description says that an "entropy-adaptive gate" chooses the parity, and not by which rule; there is no such gate here: the
green parity after a context is a keyed fair bit of it (the integer hash of `stone.partition`), so that exactly half of all (key, context)
pairs make a token green. Also chosen here: ranks start at 0, equal logits rank by token id, every token counts the same, and ids
above a V that is set smaller than the logits' width are ranked like the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from stone.methods.method import Method, Scored, Step, every_token

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class ParityPartition:
    """A keyed fair bit of the context, the same for every token, with the face of `stone.partition.Partition`."""

    key: int
    context: int
    vocab_size: int

    def is_green(self, previous, tokens) -> np.ndarray:
        """previous : ids [n, h]; bool [n]."""
        from stone.partition import portable_is_green

        rows = np.asarray(previous, dtype=np.int64).reshape(len(tokens), self.context)
        return portable_is_green(rows, np.zeros(len(rows), dtype=np.int64), self.key, 0.5)

    def folds(self, previous) -> np.ndarray:
        """The bits after contexts [n, h], int64 [n]."""
        return self.is_green(previous, np.zeros(len(previous))).astype(np.int64)

    def mask_of_fold(self, fold: int) -> np.ndarray:
        return np.full(self.vocab_size, bool(fold))


def favoured(step: Step, rows: torch.Tensor, green: torch.Tensor) -> torch.Tensor:
    """A row is all green where even ranks are to be favoured."""
    from stone.entropy import ranks

    return green ^ (ranks(step.scores[rows]) % 2 == 1)


def read(text: Scored) -> np.ndarray:
    return text.green ^ (text.readings % 2 == 1)


METHOD = Method(
    name="watermod", favoured=favoured, selected=every_token, weights=lambda text: every_token(text).astype(float),
    green=read, reads="rank", only={"gamma": 0.5}, partition=lambda config: ParityPartition(config.key, config.context, config.vocab_size),
)  # fmt: skip
