"""Goes through logits [rows, V] a few rows at a time where that is quicker."""

from collections.abc import Callable

import torch

_CPU_BLOCK = 2**18  # logits that a CPU works on at once: what is computed in between stays in its cache


def rows_at_once(logits: torch.Tensor) -> int:
    """How many rows of [rows, V] to work on together: a few on a CPU, all on a GPU."""
    return max(1, _CPU_BLOCK // logits.shape[-1]) if logits.device.type == "cpu" else max(1, len(logits))


def by_rows(function: Callable[[torch.Tensor], torch.Tensor], logits: torch.Tensor) -> torch.Tensor:
    """function ([n, V] in float32 -> [n, ...]) of logits [B, V], without a float32 copy of all of them on a CPU."""
    return torch.cat([function(some.float()) for some in logits.split(rows_at_once(logits))])
