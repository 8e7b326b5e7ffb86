"""Methods: each is a gate at insertion and a weight per token at detection, or a rewriting of finished text, in one short file.

Adding a method is one file with a `METHOD` and one line in `METHODS`.
"""

from stone.methods import acw, codeip, ewd, kgw, stone, stone_plus, sweet, watermod
from stone.methods.method import Method, PostHoc, Scored, Step

METHODS: dict[str, Method] = {m.name: m for m in (
    kgw.METHOD, ewd.METHOD, sweet.METHOD, stone.METHOD, stone_plus.METHOD, stone_plus.COMPOSED, stone_plus.COUPLED,
    codeip.METHOD, watermod.METHOD, acw.METHOD
)}  # fmt: skip

__all__ = ["METHODS", "Method", "PostHoc", "Scored", "Step"]
