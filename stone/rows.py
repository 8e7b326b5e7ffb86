"""Goes through logits [rows, V] a few rows at a time where that is quicker."""

from collections.abc import Callable

import torch

_CPU_BLOCK = 2**18  # logits that a CPU works on at once: what is computed in between stays in its cache


def rows_at_once(logits: torch.Tensor) -> int:
    """How many rows of [rows, V] to work on together: a few on a CPU, all on a GPU."""
    return max(1, _CPU_BLOCK // logits.shape[-1]) if logits.device.type == "cpu" else max(1, len(logits))


def by_rows(function: Callable[..., torch.Tensor], logits: torch.Tensor, *columns: torch.Tensor) -> torch.Tensor:
    """function ([n, V] in float32, [n, ...] of each column -> [n, ...]) of logits [B, V], without a float32 copy of all of them on a CPU."""
    pieces = zip(*(each.split(rows_at_once(logits)) for each in (logits, *columns)), strict=True)
    return torch.cat([function(some.float(), *rest) for some, *rest in pieces])
