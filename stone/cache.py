"""Bounded caches of permutation work, shared by all partitions (and so by all gammas) of a process."""

from collections import OrderedDict
from collections.abc import Callable, Hashable

import numpy as np


class MaskCache:
    """Least-recently-used green masks, stored as bits: V/8 bytes each."""

    def __init__(self, max_bytes: int):
        self.max_bytes = max_bytes
        self._packed: OrderedDict[Hashable, tuple[np.ndarray, int]] = OrderedDict()
        self._bytes = 0

    def get(self, key: Hashable, make: Callable[..., np.ndarray]) -> np.ndarray:
        """The bool mask of `key`, made by `make(key)` when absent."""
        if key in self._packed:
            self._packed.move_to_end(key)
            bits, length = self._packed[key]
            return np.unpackbits(bits, count=length).view(bool)
        mask = make(key)
        self._packed[key] = (np.packbits(mask), len(mask))
        self._bytes += self._packed[key][0].nbytes
        while self._bytes > self.max_bytes:
            self._bytes -= self._packed.popitem(last=False)[1][0].nbytes
        return mask


class RankCache:
    """Rank of a token in a seeded permutation, remembered per (vocabulary, seed, token) as sorted arrays.

    A corpus asks for the same pairs again for every gamma and every method; 12 bytes a pair then replace a permutation.
    The table is emptied when it would outgrow `max_pairs`.
    """

    def __init__(self, max_pairs: int):
        self.max_pairs = max_pairs
        self._tables: dict[int, dict[int, tuple[np.ndarray, np.ndarray]]] = {}
        self._pairs = 0

    def lookup(
        self, seeds: np.ndarray, tokens: np.ndarray, vocab_size: int, permutation: Callable[[int, int], np.ndarray]
    ) -> np.ndarray:
        """Ranks [n] (int32) of tokens [n] in the permutations of seeds [n]."""
        table = self._tables.setdefault(vocab_size, {})
        ranks = np.empty(len(tokens), dtype=np.int32)
        order = np.argsort(seeds, kind="stable")
        starts = np.flatnonzero(np.diff(seeds[order], prepend=-1))
        for rows in np.split(order, starts)[1:]:
            ranks[rows] = self._of_seed(table, int(seeds[rows[0]]), tokens[rows], vocab_size, permutation)
        return ranks

    def _of_seed(self, table, seed, tokens, vocab_size, permutation) -> np.ndarray:
        known, values = table.get(seed, (np.empty(0, np.int32), np.empty(0, np.int32)))
        place = np.searchsorted(known, tokens)
        if len(known) and place.max(initial=0) < len(known) and np.array_equal(known[place], tokens):
            return values[place]
        wanted = np.union1d(known, tokens).astype(np.int32)
        inverse = np.empty(vocab_size, dtype=np.int32)
        inverse[permutation(seed, vocab_size)] = np.arange(vocab_size, dtype=np.int32)
        self._pairs += len(wanted) - len(known)
        if self._pairs > self.max_pairs:
            for other in self._tables.values():
                other.clear()
            self._pairs = len(wanted)
        table[seed] = (wanted, inverse[wanted])
        return inverse[tokens]
