"""Green lists: which tokens of the vocabulary are favoured after a given context (paper section 3.1, Algorithm 1 lines 5-6).

Lists never depend on the device that runs the model: permutations come from a CPU generator, `portable` from integer arithmetic.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import torch

from stone.cache import RankCache
from stone.hashing import GOLDEN, mix, signed, splitmix64

_TOKEN = 0xD1B54A32D192ED03  # sets the hash of a token apart from that of a context
_MOST_IDS = 2**31  # products of two ids fit into int64
ranks = RankCache(max_pairs=20_000_000)  # at most 240 MB; set `ranks.max_pairs` for another bound


def _permutation(seed: int, vocab_size: int) -> np.ndarray:
    """`torch.randperm` on a CPU generator; seeds above 63 bits (huge keys) wrap."""
    return torch.randperm(vocab_size, generator=torch.Generator("cpu").manual_seed(seed % 2**63)).numpy()


def in_threads(work: Callable, *columns: Sequence) -> list:
    """`work` on each row, in order; each thread takes every n-th. Permutations release the GIL; and even one is quicker outside the main
    thread, where torch.randperm waits for all OpenMP threads to fill 1.2 MB."""
    n = torch.get_num_threads()
    results = [None] * len(columns[0])

    def some(first: int) -> None:
        results[first::n] = [work(*row) for row in zip(*(column[first::n] for column in columns), strict=True)]

    with ThreadPoolExecutor(n) as pool:
        list(pool.map(some, range(min(n, len(results)))))
    return results


@lru_cache(maxsize=8)
def _markllm_prf(key: int, vocab_size: int) -> np.ndarray:
    return _permutation(key, vocab_size)


def _product(previous: np.ndarray, vocab_size: int) -> np.ndarray:
    """Product of the ids of each row [n, h] mod V."""
    product = np.full(len(previous), 1 % vocab_size, dtype=np.int64)
    for column in previous.T:
        product = product * column % vocab_size
    return product


def _markllm_seed(previous: np.ndarray, key: int, vocab_size: int) -> np.ndarray:
    return key % vocab_size * _markllm_prf(key, vocab_size)[_product(previous, vocab_size)] % vocab_size


# Rules that cut a seeded permutation, seed = multiplier * fold: rule -> (multiplier of a key, folds [n] of contexts [n, h],
# does green come from the permutation's end?)
_PERMUTED: dict[str, tuple[Callable[[int], int], Callable[[np.ndarray, int, int], np.ndarray], bool]] = {
    # SWEET, EWD, STONE; transformers' lefthash at context 1
    "lefthash": (lambda key: key, lambda previous, key, vocab_size: _product(previous, vocab_size), False),
    # KGW of MarkLLM and of the STONE release
    "markllm-kgw": (lambda key: 1, _markllm_seed, False),
    # lm-watermarking: differs from lefthash only for ids >= V
    "simple_1": (lambda key: key, lambda previous, key, vocab_size: previous[:, -1], False),
    # lm-watermarking with select_green_tokens=False
    "simple_1-legacy": (lambda key: key, lambda previous, key, vocab_size: previous[:, -1], True),
}
RULES = (*_PERMUTED, "portable")


def portable_is_green(previous: np.ndarray, tokens: np.ndarray, key: int, gamma: float) -> np.ndarray:
    """Hash of (key, context, token) below gamma * 2^64. previous: ids [n, h]; tokens: ids [n]; bool [n]."""
    return _below(_portable_states(previous, key) ^ _portable_tokens(tokens), gamma)


def _below(states: np.ndarray, gamma: float) -> np.ndarray:
    return splitmix64(states) < np.uint64(_portable_limit(gamma))


def _portable_limit(gamma: float) -> int:
    return min(int(gamma * 2**64), 2**64 - 1)


def _portable_states(previous: np.ndarray, key: int) -> np.ndarray:
    """Hashes of (key, context), uint64 [n]."""
    states = splitmix64(np.full(len(previous), key % 2**64, dtype=np.uint64))
    for column in previous.astype(np.uint64).T:
        states = splitmix64(states ^ (column + np.uint64(GOLDEN)))
    return states


def _portable_tokens(tokens: np.ndarray) -> np.ndarray:
    """Hashes of tokens, uint64 [n]."""
    return splitmix64(tokens.astype(np.uint64) + np.uint64(_TOKEN))


@lru_cache(maxsize=4)
def _every_token(vocab_size: int) -> np.ndarray:
    return _portable_tokens(np.arange(vocab_size))


@lru_cache(maxsize=4)
def _every_token_there(vocab_size: int, device: torch.device) -> torch.Tensor:
    return torch.from_numpy(_every_token(vocab_size).view(np.int64)).to(device)


def portable_masks(previous: torch.Tensor, vocab_size: int, key: int, gamma: float) -> torch.Tensor:
    """`portable`'s masks on the device of `previous` (ids [B, h]): bool [B, V], bit-equal to `Partition.masks`."""
    state = mix(torch.full(previous.shape[:1], signed(key), dtype=torch.int64, device=previous.device))
    for column in previous.unbind(dim=1):
        state = mix(state ^ (column + signed(GOLDEN)))
    hashed = mix(state[:, None] ^ _every_token_there(vocab_size, previous.device))
    limit = signed(_portable_limit(gamma) ^ 2**63)
    return hashed.bitwise_xor_(-(2**63)) < limit  # the flipped top bit makes it an unsigned comparison


def _ranks_of(multiplier: int, vocab_size: int, folds: np.ndarray, tokens: np.ndarray) -> np.ndarray:
    """Ranks of tokens [n] in the permutations of seeds multiplier * folds [n]; pairs are distinct and sorted by fold, then token."""

    def of_fold(fold: int, wanted: np.ndarray) -> np.ndarray:
        permutation = _permutation(multiplier * fold, vocab_size)
        asked = np.zeros(vocab_size, dtype=bool)
        asked[wanted] = True
        found = np.flatnonzero(asked.take(permutation))  # quicker than the whole inverse
        return found[np.argsort(permutation[found])]

    starts = np.flatnonzero(np.diff(folds, prepend=-1))
    return np.concatenate(in_threads(of_fold, folds[starts].tolist(), np.split(tokens, starts[1:])))


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
        if rows.size and not (rows.min() >= 0 and rows.max() < _MOST_IDS):
            raise ValueError(f"previous holds ids from {rows.min()} to {rows.max()}; ids are at least 0 and below 2^31")
        return rows

    @property
    def direct_masks(self) -> Callable[[torch.Tensor], torch.Tensor] | None:
        """Masks bool [B, V] of contexts [B, h], computed on their device (a GPU does that at once); None for a permuted rule."""
        return (
            partial(portable_masks, vocab_size=self.vocab_size, key=self.key, gamma=self.gamma) if self.rule == "portable" else None
        )

    def folds(self, previous) -> np.ndarray:
        """What the list depends on, int64 [n]: rows of previous [n, h] with the same fold have the same list."""
        rows = self._previous(previous)
        if self.rule == "portable":
            return _portable_states(rows, self.key).view(np.int64)
        return _PERMUTED[self.rule][1](rows, self.key, self.vocab_size)

    def mask_of_fold(self, fold: int) -> np.ndarray:
        """Green mask of a fold, bool [V]."""
        if self.rule == "portable":
            return _below(np.uint64(fold % 2**64) ^ _every_token(self.vocab_size), self.gamma)
        multiplier, _, from_end = _PERMUTED[self.rule]
        permutation = _permutation(multiplier(self.key) * fold, self.vocab_size)
        mask = np.zeros(self.vocab_size, dtype=bool)
        mask[permutation[self.vocab_size - self.size :] if from_end else permutation[: self.size]] = True
        return mask

    def is_green(self, previous, tokens) -> np.ndarray:
        """Is each token green after its context? previous: ids [n, h] (or [n] at context 1), tokens: ids [n]; bool [n].

        Ids at or above V are never green. Raises ValueError for ids below 0 or above 2^31, and for another number of columns.
        """
        rows, tokens = self._previous(previous), np.asarray(tokens, dtype=np.int64)
        inside = (tokens >= 0) & (tokens < self.vocab_size)
        if self.rule == "portable":
            return portable_is_green(rows, tokens, self.key, self.gamma) & inside
        green = np.zeros(len(tokens), dtype=bool)
        make_multiplier, _, from_end = _PERMUTED[self.rule]
        multiplier = make_multiplier(self.key)
        compute = partial(_ranks_of, multiplier, self.vocab_size)
        rank = ranks.lookup((multiplier, self.vocab_size), self.folds(rows[inside]), tokens[inside], compute)
        green[inside] = rank >= self.vocab_size - self.size if from_end else rank < self.size
        return green

    def masks(self, previous) -> np.ndarray:
        """Green masks of whole rows. previous: ids [B, h]; bool [B, V]. Nothing is remembered; see `stone.masks` for insertion."""
        return np.array(in_threads(self.mask_of_fold, self.folds(previous).tolist()), dtype=bool).reshape(-1, self.vocab_size)


def green_list(context: Sequence[int], *, vocab_size: int, gamma: float, key: int, rule: str = "lefthash") -> np.ndarray:
    """Sorted green ids (int64) after `context` (ids, oldest first; may be empty).

    Raises ValueError for parameters out of range (see `Partition`).
    """
    ids = [int(i) for i in context]
    partition = Partition(vocab_size=vocab_size, gamma=gamma, key=key, rule=rule, context=len(ids))
    return np.flatnonzero(partition.masks(np.array([ids], dtype=np.int64).reshape(1, len(ids)))[0])
