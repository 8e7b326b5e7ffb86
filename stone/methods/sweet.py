"""SWEET (Lee et al. 2024): marks and counts only tokens whose Shannon entropy (nats) is above the threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from stone.methods.method import Method, Scored, Step

if TYPE_CHECKING:
    import torch


def gate(step: Step) -> torch.Tensor:
    from stone.entropy import shannon

    return shannon(step.scores) > step.entropy_threshold


def selected(text: Scored) -> np.ndarray:
    return text.readings > text.entropy_threshold


METHOD = Method(name="sweet", gate=gate, selected=selected, weights=lambda text: selected(text).astype(float), reads="shannon")
