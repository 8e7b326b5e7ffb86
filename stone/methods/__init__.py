"""Green-list methods: each is a gate at insertion and a weight per token at detection, in one short file.

Adding a method is one file with a `METHOD` and one line in `METHODS`.
"""

from stone.methods import ewd, kgw, stone, stone_plus, sweet, watermod
from stone.methods.method import Method, Scored, Step

METHODS: dict[str, Method] = {m.name: m for m in (
    kgw.METHOD, ewd.METHOD, sweet.METHOD, stone.METHOD, stone_plus.METHOD, stone_plus.COMPOSED, stone_plus.COUPLED, watermod.METHOD
)}  # fmt: skip

__all__ = ["METHODS", "Method", "Scored", "Step"]
