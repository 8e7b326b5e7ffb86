"""SplitMix64's finaliser (Steele et al. 2014), a bijection of 64 bits whose output bits look independent: the same one in numpy and torch."""

import numpy as np
import torch

GOLDEN = 0x9E3779B97F4A7C15
_MIX1, _MIX2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def splitmix64(x: np.ndarray) -> np.ndarray:
    """On uint64 arrays."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(_MIX1)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(_MIX2)
    return x ^ (x >> np.uint64(31))


def signed(bits: int) -> int:
    """The int64 that holds these 64 bits: torch has no full uint64 arithmetic."""
    return (bits + 2**63) % 2**64 - 2**63


def shift(x: torch.Tensor, bits: int) -> torch.Tensor:
    """Unsigned right shift of int64."""
    return (x >> bits).bitwise_and_(2 ** (64 - bits) - 1)


def mix(x: torch.Tensor) -> torch.Tensor:
    """`splitmix64` on int64 tensors that hold the same bits."""
    x = (x ^ shift(x, 30)).mul_(signed(_MIX1))
    x = x.bitwise_xor_(shift(x, 27)).mul_(signed(_MIX2))
    return x.bitwise_xor_(shift(x, 31))
