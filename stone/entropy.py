"""Entropies of next-token distributions: Shannon (paper eq. 1, SWEET) and spike (KGW, EWD)."""

import math

import numpy as np
import torch


def shannon(logits: torch.Tensor) -> torch.Tensor:
    """Shannon entropy in nats over the last axis. logits [..., V] -> [...]."""
    log_p = torch.log_softmax(logits.float(), dim=-1)
    return torch.special.entr(log_p.exp_()).sum(dim=-1)


def spike(logits: torch.Tensor, gamma: float, delta: float) -> torch.Tensor:
    """Spike entropy, dimensionless, over the last axis: sum p / (1 + c p). logits [..., V] -> [...].

    c = (1 - gamma)(e^delta - 1) / (1 - gamma + gamma e^delta), the modulus of KGW's theorem 4.2 as EWD uses it.
    """
    alpha = math.exp(delta)
    c = (1 - gamma) * (alpha - 1) / (1 - gamma + gamma * alpha)
    p = torch.softmax(logits.float(), dim=-1)
    return (p / (1 + c * p)).sum(dim=-1)


@torch.no_grad()
def of_tokens(model, ids, kind: str, gamma: float, delta: float) -> np.ndarray:
    """Entropies of a causal LM's predictions of each token of one text, by one forward pass.

    ids : int [L]; kind : "shannon" or "spike" (which takes gamma and delta). Float64 [L]; entry 0 is 0.0, nothing predicts it.
    """
    if len(ids) < 2:
        return np.zeros(len(ids))
    tokens = torch.as_tensor(np.asarray(ids), dtype=torch.int64, device=model.device)[None]
    logits = model(input_ids=tokens).logits[0, :-1]
    values = shannon(logits) if kind == "shannon" else spike(logits, gamma, delta)
    return np.concatenate([[0.0], values.double().cpu().numpy()])
