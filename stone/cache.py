"""A bounded cache of ranks in seeded permutations, shared by all partitions (and so by all gammas and methods) of a process."""

from collections.abc import Callable, Hashable

import numpy as np

_LOW = 2**32 - 1


class RankCache:
    """Ranks of tokens in permutations, remembered per (family of permutations, context, token): 12 bytes a pair.

    A corpus asks for the same pairs again for every gamma and every method. Each family's pairs stand in sorted runs, each at least
    twice as long as the next, so that both looking up and adding cost O(log n) a pair. The cache is emptied when it would
    outgrow `max_pairs`.
    """

    def __init__(self, max_pairs: int):
        self.max_pairs = max_pairs
        self._runs: dict[Hashable, list[tuple[np.ndarray, np.ndarray]]] = {}

    def __len__(self) -> int:
        return sum(len(keys) for runs in self._runs.values() for keys, _ in runs)

    def lookup(
        self,
        family: Hashable,
        contexts: np.ndarray,
        tokens: np.ndarray,
        compute: Callable[[np.ndarray, np.ndarray], np.ndarray],
    ) -> np.ndarray:
        """Ranks (int32) of tokens [n] after contexts [n], both int64 below 2^31.

        compute : contexts [k], tokens [k] -> ranks [k], for the distinct pairs that are missing, sorted by context, then token.
        """
        wanted, inverse = np.unique(contexts << 32 | tokens, return_inverse=True)
        ranks = np.full(len(wanted), -1, dtype=np.int32)
        for keys, values in self._runs.get(family, []):
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            found = keys[place] == wanted
            ranks[found] = values[place[found]]
        missing = ranks < 0
        if missing.any():
            new = wanted[missing]
            ranks[missing] = compute(new >> 32, new & _LOW)
            self._add(family, new, ranks[missing])
        return ranks[inverse]

    def _add(self, family: Hashable, keys: np.ndarray, values: np.ndarray) -> None:
        if len(self) + len(keys) > self.max_pairs:
            self._runs.clear()
        if len(keys) > self.max_pairs:
            return
        runs = self._runs.setdefault(family, [])
        while runs and len(runs[-1][0]) < 2 * len(keys):
            older_keys, older_values = runs.pop()
            keys, values = np.concatenate([older_keys, keys]), np.concatenate([older_values, values])
            order = np.argsort(keys, kind="stable")
            keys, values = keys[order], values[order]
        runs.append((keys, values))
