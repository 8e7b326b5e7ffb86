"""STONE (paper Algorithms 1 and 2): the mark is inserted where a candidate drawn from the unmarked distribution is no syntax
element, and only tokens that are no syntax element count."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stone.methods.method import Method, Scored, Step

if TYPE_CHECKING:
    import torch


def gate(step: Step) -> torch.Tensor:
    return ~step.syntax[step.candidate]


def selected(text: Scored) -> np.ndarray:
    return text.syntax == 0


METHOD = Method(name="stone", gate=gate, selected=selected, weights=lambda text: selected(text).astype(float), draws_candidate=True)
