"""The paper's figures and those that make them believable, each a function data -> Figure, and one place that writes them."""

from stone.figures.attacks import attacks
from stone.figures.code import entropy_by_type
from stone.figures.detection import power, roc, z_histogram, z_length
from stone.figures.motivation import motivation
from stone.figures.results import stem_ternary, tradeoff_bubble
from stone.figures.style import write_figure

__all__ = [
    "attacks",
    "entropy_by_type",
    "motivation",
    "power",
    "roc",
    "stem_ternary",
    "tradeoff_bubble",
    "write_figure",
    "z_histogram",
    "z_length",
]
