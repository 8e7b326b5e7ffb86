"""What a method sees and what it decides. Nothing here loads torch: tables and figures ask methods for their names and traits alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class Step:
    """One generation step of a batch, before the bias.

    scores : raw logits [B, V]; syntax : True for tokens of S, [V]; entropy_threshold : nats;
    candidate : the candidate ids [B] of the step (Algorithm 1 line 3); None unless the method says `draws_candidate`.
    """

    scores: torch.Tensor
    syntax: torch.Tensor
    entropy_threshold: float
    candidate: torch.Tensor | None


@dataclass(frozen=True)
class Scored:
    """The scored tokens of one text: ids [n], their syntax classes [n], are they in the green list of their context [n], and what the
    method reads [n] of the model's predictions of them (NaN unless it asks)."""

    tokens: np.ndarray
    syntax: np.ndarray
    green: np.ndarray
    readings: np.ndarray
    entropy_threshold: float


@dataclass(frozen=True)
class PostHoc:
    """A mark that is put into finished text instead of being generated.

    mark : (text, start, language, key) -> text with the same first `start` characters and the same meaning.
    matches : (text, start, language, key) -> bool [n], for each place behind `start` that can carry a bit: does it carry the key's?
    """

    mark: Callable[[str, int, str, int], str]
    matches: Callable[[str, int, str, int], np.ndarray]


@dataclass(frozen=True)
class Method:
    """A watermarking method.

    gate : Step -> bool [B], the rows that are marked; None: all.
    favoured : (Step, ids of n marked rows, their green lists as bool [n, V]) -> bool [n, V], the logits that get +delta; default: the
        green lists. It may read these rows' scores only: others may be marked already.
    selected : Scored -> bool [n], the tokens that count at detection.
    weights : Scored -> float [n], their weights (0 for tokens not selected).
    green : Scored -> bool [n], the tokens that carry the mark; default: those in the green lists.
    reads : what detection reads of the model's predictions: None, an entropy ("shannon" or "spike"), or the token's "rank".
    draws_candidate : does the gate look at `Step.candidate`?
    match, candidate : settings of the config that the method prescribes, None where the config decides.
    only : settings of the config that have one allowed value with this method.
    partition : WatermarkConfig -> what stands for `stone.partition.Partition`, for methods whose green tokens come from elsewhere.
    insertion : (Watermark, KeyedSampler) -> LogitsProcessor, for methods whose insertion is more than a gate.
    posthoc : how finished text is marked and read; the gate and the weights are then never asked.
    """

    name: str
    selected: Callable[[Scored], np.ndarray]
    weights: Callable[[Scored], np.ndarray]
    gate: Callable[[Step], torch.Tensor] | None = None
    favoured: Callable[[Step, torch.Tensor, torch.Tensor], torch.Tensor] = lambda step, rows, green: green
    green: Callable[[Scored], np.ndarray] = lambda text: text.green
    reads: str | None = None
    draws_candidate: bool = False
    match: str | None = None
    candidate: str | None = None
    only: Mapping[str, Any] = field(default_factory=dict)
    partition: Callable[[Any], Any] | None = None
    insertion: Callable[[Any, Any], Any] | None = None
    posthoc: PostHoc | None = None


def every_token(text: Scored) -> np.ndarray:
    """Selection of all tokens."""
    return np.ones(len(text.tokens), dtype=bool)
