"""SWEET (Lee et al. 2024): marks and counts only tokens whose Shannon entropy (nats) is above the threshold."""

import numpy as np
import torch

from stone.entropy import shannon
from stone.methods.method import Method, Scored, Step


def favoured(step: Step) -> torch.Tensor:
    return step.green & (shannon(step.scores) > step.entropy_threshold)[:, None]


def selected(text: Scored) -> np.ndarray:
    return text.readings > text.entropy_threshold


METHOD = Method(
    name="sweet", favoured=favoured, selected=selected, weights=lambda text: selected(text).astype(float), reads="shannon"
)
