"""A training-free mark by rewriting, in the manner of ACW (Li et al. 2024, "Resilient Watermarking for LLM-Generated Codes").

ACW applies a selected set of semantics-preserving, idempotent code transformations to a model's output; their presence or absence is the mark,
and a detector asks of each whether applying it would still change the code. Its published description leaves the catalogue of
transformations to a list of refactorings made for Python, and selects whole transformations. Chosen here:

- the catalogue: `stone.rewrites`, places ("slots") with two equivalent forms, for Python, C++ and Java;
- one keyed bit for each slot instead of one for each transformation: the lowest bit of BLAKE2b, keyed, of the slot's name (function, kind,
  shape of its content, number among equals). People have habits (they write `i++`); with a bit for each kind, a habit would be for or
  against a key in all texts at once. With a bit for each slot the number of matches in any given text is binomial with p = 1/2 over keys;
- the score: z = (matches - n/2) / sqrt(n/4) over the n slots, with the exact binomial p-value.

Texts of a few lines have a few slots: n slots can give no p-value below 2^-n. Only whether programs still pass their tests is proof that a
rewrite kept their meaning; `stone.rewrites.python` and `.braces` say what they take for granted.
"""

import hashlib

import numpy as np

from stone.methods.method import Method, PostHoc, every_token
from stone.rewrites import rewrite, slots


def bit(key: int, name: str) -> int:
    """The form that a key wants for the slot of a name."""
    secret = hashlib.blake2b(str(key).encode(), digest_size=32).digest()
    return hashlib.blake2b(name.encode(), key=secret, digest_size=1).digest()[0] & 1


def mark(code: str, start: int, language: str, key: int) -> str:
    return rewrite(code, language, lambda name: bit(key, name), start)


def matches(code: str, start: int, language: str, key: int) -> np.ndarray:
    first = len(code[:start].encode())
    return np.array([slot.form == bit(key, slot.name) for slot in slots(code, language) if slot.start >= first], dtype=bool)


METHOD = Method(
    name="acw", selected=every_token, weights=lambda text: every_token(text).astype(float),
    only={"gamma": 0.5}, posthoc=PostHoc(mark, matches),
)  # fmt: skip
