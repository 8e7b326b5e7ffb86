"""Green lists: which tokens of the vocabulary are favoured after a given context (paper section 3.1, Algorithm 1 lines 5-6).

Lists never depend on the device that runs the model: permutations come from a CPU generator, `portable` from integer arithmetic.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

import numpy as np
import torch

from stone.cache import MaskCache, RankCache

_masks = MaskCache(max_bytes=256 * 2**20)
_ranks = RankCache(max_pairs=20_000_000)


def _permutation(seed: int, vocab_size: int) -> np.ndarray:
    """`torch.randperm` on a CPU generator; seeds above 63 bits (huge keys) wrap."""
    return torch.randperm(vocab_size, generator=torch.Generator("cpu").manual_seed(seed % 2**63)).numpy()


@lru_cache(maxsize=8)
def _markllm_prf(key: int, vocab_size: int) -> np.ndarray:
    return _permutation(key, vocab_size)


def _seed_lefthash(context: Sequence[int], key: int, vocab_size: int) -> int:
    return key * (prod(context) % vocab_size)


def _seed_markllm(context: Sequence[int], key: int, vocab_size: int) -> int:
    return key * int(_markllm_prf(key, vocab_size)[prod(context) % vocab_size]) % vocab_size


def _seed_simple(context: Sequence[int], key: int, vocab_size: int) -> int:
    return key * context[-1]


# Rules that cut a seeded permutation: rule -> (seed of a context, does green come from the permutation's end?)
_PERMUTED: dict[str, tuple[Callable[[Sequence[int], int, int], int], bool]] = {
    "lefthash": (_seed_lefthash, False),  # SWEET, EWD, STONE; transformers' lefthash at context 1
    "markllm-kgw": (_seed_markllm, False),  # KGW of MarkLLM and of the STONE release
    "simple_1": (_seed_simple, False),  # lm-watermarking: differs from lefthash only for ids >= V
    "simple_1-legacy": (_seed_simple, True),  # lm-watermarking with select_green_tokens=False
}
RULES = (*_PERMUTED, "portable")


def splitmix64(x: np.ndarray) -> np.ndarray:
    """The finaliser of SplitMix64 (Steele et al. 2014) on uint64 arrays: a bijection whose output bits look independent."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def portable_is_green(previous: np.ndarray, tokens: np.ndarray, key: int, gamma: float) -> np.ndarray:
    """Hash of (key, context, token) below gamma * 2^64, broadcast over previous [..., h] and tokens [...]."""
    state = splitmix64(np.full(previous.shape[:-1], key % 2**64, dtype=np.uint64))
    for column in np.moveaxis(previous.astype(np.uint64), -1, 0):
        state = splitmix64(state ^ (column + np.uint64(0x9E3779B97F4A7C15)))
    hashed = splitmix64(state ^ splitmix64(tokens.astype(np.uint64) + np.uint64(0xD1B54A32D192ED03)))
    return hashed < np.uint64(min(int(gamma * 2**64), 2**64 - 1))


@dataclass(frozen=True)
class Partition:
    """The split of the vocabulary into green and red after each context.

    Parameters
    ----------
    vocab_size : V, the width of the model's logits that the mark covers.
    gamma : share of green tokens, in (0, 1).
    key : secret integer.
    rule : one of `RULES`. `lefthash` seeds a permutation with key * (product of the context ids mod V) and takes its first
        int(gamma V) ids; `portable` hashes (key, context, token), O(1) per token.
    context : h, how many previous tokens seed the split; 0 gives one fixed list.

    Raises
    ------
    ValueError : a parameter is out of range, or `previous` has another number of columns than `context`.
    """

    vocab_size: int
    gamma: float = 0.5
    key: int = 15485863
    rule: str = "lefthash"
    context: int = 1

    def __post_init__(self) -> None:
        if self.rule not in RULES:
            raise ValueError(f"partition rule {self.rule!r} is unknown; choose one of {', '.join(RULES)}")
        if not 0 < self.gamma < 1:
            raise ValueError(f"gamma is {self.gamma}; it must lie strictly between 0 and 1")
        if self.vocab_size < 1:
            raise ValueError(f"vocab_size is {self.vocab_size}; it must be a positive number of tokens")
        if self.context < 0:
            raise ValueError(f"context is {self.context}; it must be 0 or more previous tokens")
        if self.rule.startswith("simple_1") and self.context != 1:
            raise ValueError(f"partition rule {self.rule!r} looks at exactly 1 previous token, not context={self.context}")

    @property
    def size(self) -> int:
        """Number of green tokens of a permuted rule (`portable` only has it on average)."""
        return int(self.vocab_size * self.gamma)

    def _previous(self, previous) -> np.ndarray:
        rows = np.asarray(previous, dtype=np.int64)
        if rows.ndim == 1 and self.context == 1:
            rows = rows[:, None]
        if rows.ndim != 2 or rows.shape[1] != self.context:
            raise ValueError(f"previous has shape {rows.shape}; context={self.context} needs [n, {self.context}]")
        return rows

    def _seeds(self, previous: np.ndarray) -> np.ndarray:
        """Seed of each row, computed once per distinct context."""
        seed_of, _ = _PERMUTED[self.rule]
        contexts, inverse = np.unique(previous, axis=0, return_inverse=True)
        seeds = [seed_of(row, self.key, self.vocab_size) % 2**63 for row in contexts.tolist()]
        return np.array(seeds, dtype=np.int64)[inverse.reshape(-1)]

    def is_green(self, previous, tokens) -> np.ndarray:
        """Is each token green after its context? previous: ids [n, h] (or [n] at context 1), tokens: ids [n]; bool [n].

        Ids at or above V are never green.
        """
        rows, tokens = self._previous(previous), np.asarray(tokens, dtype=np.int64)
        inside = (tokens >= 0) & (tokens < self.vocab_size)
        if self.rule == "portable":
            return portable_is_green(rows, tokens, self.key, self.gamma) & inside
        green = np.zeros(len(tokens), dtype=bool)
        ranks = _ranks.lookup(self._seeds(rows[inside]), tokens[inside], self.vocab_size, _permutation)
        green[inside] = self._cut(ranks)
        return green

    def masks(self, previous) -> np.ndarray:
        """Green mask of whole rows, for insertion. previous: ids [B, h]; bool [B, V]."""
        rows = self._previous(previous)
        if self.rule == "portable":
            every = np.arange(self.vocab_size)[None, :]
            return portable_is_green(rows[:, None, :], every, self.key, self.gamma)
        return np.stack([_masks.get((self, seed), self._mask) for seed in self._seeds(rows).tolist()])

    def _mask(self, keyed: tuple["Partition", int]) -> np.ndarray:
        ranks = np.empty(self.vocab_size, dtype=np.int32)
        ranks[_permutation(keyed[1], self.vocab_size)] = np.arange(self.vocab_size, dtype=np.int32)
        return self._cut(ranks)

    def _cut(self, ranks: np.ndarray) -> np.ndarray:
        from_end = _PERMUTED[self.rule][1]
        return ranks >= self.vocab_size - self.size if from_end else ranks < self.size


def green_list(context: Sequence[int], *, vocab_size: int, gamma: float, key: int, rule: str = "lefthash") -> np.ndarray:
    """Sorted green ids (int64) after `context` (ids, oldest first; may be empty).

    Raises ValueError for parameters out of range (see `Partition`).
    """
    ids = [int(i) for i in context]
    partition = Partition(vocab_size=vocab_size, gamma=gamma, key=key, rule=rule, context=len(ids))
    return np.flatnonzero(partition.masks(np.array([ids], dtype=np.int64).reshape(1, len(ids)))[0])
