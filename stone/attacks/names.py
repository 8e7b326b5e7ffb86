"""New names for old ones."""

import keyword
from collections.abc import Iterable
from itertools import count, product
from string import ascii_lowercase

_RESERVED = frozenset(keyword.kwlist) | frozenset(
    "do if int for new try asm and or not xor auto bool case char else enum goto long this true void".split()
)


def mapping(old: Iterable[str], taken: Iterable[str], pattern: str) -> dict[str, str]:
    """A fresh name for each old one, in order: `pattern` with the shortest letters that give no name in `taken`."""
    avoid = set(taken) | _RESERVED
    letters = ("".join(word) for size in count(1) for word in product(ascii_lowercase, repeat=size))
    fresh = (name for name in (pattern.format(word) for word in letters) if name not in avoid)
    return {name: next(fresh) for name in old}
