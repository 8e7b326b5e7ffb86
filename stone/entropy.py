"""What detectors read of next-token distributions: Shannon entropy (paper eq. 1, SWEET), spike entropy (KGW, EWD), ranks (WaterMod)."""

import math
from collections.abc import Callable, Sequence

import numpy as np
import torch

from stone.models import LoadedModel, read_logits, targets
from stone.rows import by_rows


def _of_rows(function: Callable[[torch.Tensor], torch.Tensor], logits: torch.Tensor) -> torch.Tensor:
    """function (logits below the highest of their row, [n, V] -> [n]) of logits [..., V]."""
    rows = logits.reshape(-1, logits.shape[-1])
    return by_rows(lambda some: function(some - some.amax(dim=-1, keepdim=True)), rows).view(logits.shape[:-1])


def shannon(logits: torch.Tensor) -> torch.Tensor:
    """Shannon entropy in nats over the last axis. logits [..., V] -> [...]."""

    def entropies(below: torch.Tensor) -> torch.Tensor:
        below.clamp_min_(-1e4)  # -inf becomes a finite number, times 0
        weights = below.exp()
        total = weights.sum(dim=-1)
        return total.log() - weights.mul_(below).sum(dim=-1) / total

    return _of_rows(entropies, logits)


def spike(logits: torch.Tensor, gamma: float, delta: float) -> torch.Tensor:
    """Spike entropy, dimensionless, over the last axis: sum p / (1 + c p). logits [..., V] -> [...].

    c = (1 - gamma)(e^delta - 1) / (1 - gamma + gamma e^delta), the modulus of KGW's theorem 4.2 as EWD uses it.
    """
    alpha = math.exp(delta)
    c = (1 - gamma) * (alpha - 1) / (1 - gamma + gamma * alpha)

    def entropies(below: torch.Tensor) -> torch.Tensor:
        weights = below.exp_()
        total = weights.sum(dim=-1, keepdim=True)
        return weights.div_(torch.add(total, weights, alpha=c)).sum(dim=-1)

    return _of_rows(entropies, logits)


def ranks(logits: torch.Tensor) -> torch.Tensor:
    """Rank of every token of the vocabulary, 0 for the most probable; equal logits rank by token id. logits [..., V] -> int64 [..., V]."""
    order = logits.sort(dim=-1, descending=True, stable=True).indices
    return torch.empty_like(order).scatter_(-1, order, torch.arange(logits.shape[-1], device=logits.device).expand_as(order))


def rank_of(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """`ranks` at the given tokens, without sorting. logits [..., V], tokens [...] -> int64 [...]."""
    tokens = tokens[..., None]
    own, every = logits.gather(-1, tokens), torch.arange(logits.shape[-1], device=logits.device)
    return ((logits > own) | ((logits == own) & (every < tokens))).sum(dim=-1)


@torch.no_grad()
def of_tokens(model, ids, kind: str, gamma: float, delta: float) -> np.ndarray:
    """Entropies (or ranks) of a causal LM's predictions of each token of one text, by one forward pass.

    ids : int [L]; kind : "shannon", "spike" (which takes gamma and delta) or "rank". Float64 [L]; entry 0 is 0.0, nothing predicts it.
    """
    if len(ids) < 2:
        return np.zeros(len(ids))
    tokens = torch.as_tensor(np.asarray(ids), dtype=torch.int64, device=model.device)[None]
    logits = model(input_ids=tokens).logits[0, :-1]
    if kind == "rank":
        values = rank_of(logits, tokens[0, 1:])
    else:
        values = shannon(logits) if kind == "shannon" else spike(logits, gamma, delta)
    return np.concatenate([[0.0], values.double().cpu().numpy()])


def token_entropies(
    loaded: LoadedModel,
    sequences: Sequence[Sequence[int]],
    kinds: Sequence[str | tuple[float, float]] = ("shannon",),
    batch_tokens: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[dict]:
    """What detectors read of the model's predictions of every token of every sequence, by batched forward passes.

    kinds : "shannon" (entropy in nats), "rank" (rank of token i), or (gamma, delta) for the spike entropy of that setting.
    batch_tokens : see `stone.models.read_logits`.

    Returns one dict per sequence: each kind -> float32 [L]. Entry i belongs to the prediction of token i; entry 0 is 0.0.
    """
    results: list[dict] = [{kind: np.zeros(len(ids), np.float32) for kind in kinds} for ids in sequences]
    for rows, start, logits in read_logits(loaded, sequences, batch_tokens, progress):
        for kind in kinds:
            if kind == "rank":
                values = rank_of(logits, targets(sequences, rows, start, logits, padding=0))
            else:
                values = shannon(logits) if kind == "shannon" else spike(logits, *kind)
            for i, row in zip(rows, values.cpu().numpy(), strict=True):
                results[i][kind][start : start + len(row)] = row[: max(0, len(sequences[i]) - start)]
    return results
