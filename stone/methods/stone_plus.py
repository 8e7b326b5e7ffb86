"""STONE+ (ours): STONE with composed matching, a candidate that shares the final draw's noise, and no bias on syntax elements.

The candidate is the token that unmarked sampling would draw, so where it is syntax the text stays what it was; elsewhere no syntax
element is favoured over a token that is none.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from stone.methods.method import Method, Step
from stone.methods.stone import METHOD as STONE

if TYPE_CHECKING:
    import torch


def favoured(step: Step, rows: torch.Tensor, green: torch.Tensor) -> torch.Tensor:
    return green & ~step.syntax


METHOD = Method(
    name="stone_plus",
    gate=STONE.gate,
    favoured=favoured,
    selected=STONE.selected,
    weights=STONE.weights,
    draws_candidate=True,
    match="composed",
    candidate="coupled",
)
# Each half alone, for the ablation.
COMPOSED = replace(STONE, name="stone_composed", match="composed")
COUPLED = replace(METHOD, name="stone_coupled", match=None)
