"""What detectors read of next-token distributions: Shannon entropy (paper eq. 1, SWEET), spike entropy (KGW, EWD), ranks (WaterMod)."""

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np
import torch

from stone.models import LoadedModel, read_logits

_CPU_BLOCK = 2**18  # logits that a CPU works on at once: what is computed in between stays in its cache


def rows_at_once(logits: torch.Tensor) -> int:
    """How many rows of [rows, V] to work on together: a few on a CPU, all on a GPU."""
    return max(1, _CPU_BLOCK // logits.shape[-1]) if logits.device.type == "cpu" else max(1, len(logits))


def _by_blocks(function: Callable[[torch.Tensor], torch.Tensor], logits: torch.Tensor) -> torch.Tensor:
    """function ([n, V] -> [n]) of logits [..., V], without a float32 copy of all of them on a CPU."""
    rows = logits.reshape(-1, logits.shape[-1])
    return torch.cat([function(some.float()) for some in rows.split(rows_at_once(rows))]).view(logits.shape[:-1])


def shannon(logits: torch.Tensor) -> torch.Tensor:
    """Shannon entropy in nats over the last axis. logits [..., V] -> [...]."""

    def of_rows(some: torch.Tensor) -> torch.Tensor:
        log_p = torch.log_softmax(some, dim=-1).clamp_min_(-1e4)  # log 0 becomes a finite number, times 0
        return log_p.exp().mul_(log_p).sum(dim=-1).neg_()

    return _by_blocks(of_rows, logits)


def spike(logits: torch.Tensor, gamma: float, delta: float) -> torch.Tensor:
    """Spike entropy, dimensionless, over the last axis: sum p / (1 + c p). logits [..., V] -> [...].

    c = (1 - gamma)(e^delta - 1) / (1 - gamma + gamma e^delta), the modulus of KGW's theorem 4.2 as EWD uses it.
    """
    alpha = math.exp(delta)
    c = (1 - gamma) * (alpha - 1) / (1 - gamma + gamma * alpha)

    def of_rows(some: torch.Tensor) -> torch.Tensor:
        p = torch.softmax(some, dim=-1)
        return p.div_(1 + c * p).sum(dim=-1)

    return _by_blocks(of_rows, logits)


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
    gamma_delta: Iterable[tuple[float, float]] = (),
    batch_tokens: int = 8192,
    progress: Callable[[int], None] | None = None,
    ranked: bool = False,
) -> list[dict]:
    """Entropies of the model's predictions of every token of every sequence, by batched forward passes.

    Returns one dict per sequence: "shannon" -> float32 [L] in nats, each (gamma, delta) -> spike entropy float32 [L], and with `ranked`
    "rank" -> float32 [L], the rank of token i. Entry i belongs to the prediction of token i; entry 0 is 0.0.
    """
    functions = {"shannon": shannon} | {pair: lambda logits, pair=pair: spike(logits, *pair) for pair in gamma_delta}
    keys = [*functions, *(["rank"] if ranked else [])]
    results: list[dict] = [{key: np.zeros(len(ids), np.float32) for key in keys} for ids in sequences]
    for rows, start, logits in read_logits(loaded, sequences, batch_tokens, progress):
        found = {key: function(logits) for key, function in functions.items()}
        if ranked:
            stop = start + logits.shape[1]
            targets = [[*sequences[i][start:stop], *[0] * (stop - max(start, len(sequences[i])))] for i in rows]
            found["rank"] = rank_of(logits, torch.tensor(targets, device=logits.device))
        for key, values in found.items():
            for i, row in zip(rows, values.cpu().numpy(), strict=True):
                results[i][key][start : start + len(row)] = row[: max(0, len(sequences[i]) - start)]
    return results
