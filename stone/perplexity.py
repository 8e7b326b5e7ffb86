"""Perplexity of code under a judge model (paper eq. 8)."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from stone.models import LoadedModel


def perplexities(
    judge: LoadedModel,
    texts: Sequence[str],
    batch_tokens: int = 8192,
    max_tokens: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> np.ndarray:
    """exp of the mean negative log-likelihood of each text over the judge's own tokens (its first `max_tokens`), float64 [n].

    The judge's begin or end-of-text token stands before each text where it has one, so that the first token is predicted too;
    otherwise scoring starts at the second token. Raises ValueError for a text without a token to score.
    """
    first = judge.tokenizer.bos_token_id if judge.tokenizer.bos_token_id is not None else judge.tokenizer.eos_token_id
    prefix = [] if first is None else [first]
    rows = (
        [prefix + ids[:max_tokens] for ids in judge.tokenizer(list(texts), add_special_tokens=False)["input_ids"]]
        if len(texts)
        else []
    )
    for i, row in enumerate(rows):
        if len(row) < 2:
            raise ValueError(f"text {i} ({texts[i]!r}) has no token whose perplexity could be measured; leave empty texts out")
    result = np.empty(len(rows))
    order = sorted(range(len(rows)), key=lambda i: len(rows[i]))
    while order:
        batch = order[-max(1, batch_tokens // len(rows[order[-1]])) :]
        order = order[: -len(batch)]
        result[batch] = _batch(judge, [rows[i] for i in batch])
        if progress:
            progress(len(batch))
    return result


@torch.inference_mode()
def _batch(judge: LoadedModel, rows: list[list[int]]) -> np.ndarray:
    width = max(map(len, rows))
    ids = torch.full((len(rows), width), -100, device=judge.device)
    for i, row in enumerate(rows):
        ids[i, : len(row)] = torch.tensor(row, device=judge.device)
    # Padding at the end is invisible to a causal model; its targets are ignored.
    logits = judge.model(input_ids=ids.clamp(min=0), use_cache=False).logits[:, :-1]
    losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2).float(), ids[:, 1:], ignore_index=-100, reduction="none")
    counts = (ids[:, 1:] != -100).sum(dim=1)
    return torch.exp(losses.double().sum(dim=1) / counts).cpu().numpy()
