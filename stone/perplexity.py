"""Perplexity of code under a judge model (paper eq. 8)."""

from collections.abc import Callable, Sequence

import numpy as np
import torch

from stone.models import LoadedModel, read_logits, targets


def perplexities(
    judge: LoadedModel,
    texts: Sequence[str],
    batch_tokens: int | None = None,
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
    loss = np.zeros(len(rows))
    for batch, start, logits in read_logits(judge, rows, batch_tokens, progress):
        predicted = targets(rows, batch, start, logits, padding=-100)  # cross_entropy's mark for none
        losses = torch.nn.functional.cross_entropy(logits.transpose(1, 2).float(), predicted, reduction="none")
        loss[batch] += losses.double().sum(dim=1).cpu().numpy()
    return np.exp(loss / [len(row) - 1 for row in rows])
