"""The paper's tables from tidy frames, the paper's numbers beside ours, written as csv, Markdown and booktabs LaTeX."""

from stone.tables.attacks import attacks
from stone.tables.checks import ablation, power, round_trip, timing
from stone.tables.code import data_statistics, sweet_selection, syntax_elements, syntax_examples
from stone.tables.codeip import codeip
from stone.tables.estimates import SETTING, named
from stone.tables.paper import beside, read_paper
from stone.tables.results import further_models, main, stem_grid_shares, stem_weights, unmarked
from stone.tables.writing import shown, write_table

__all__ = [
    "SETTING",
    "ablation",
    "attacks",
    "beside",
    "codeip",
    "data_statistics",
    "further_models",
    "main",
    "named",
    "power",
    "read_paper",
    "round_trip",
    "shown",
    "stem_grid_shares",
    "stem_weights",
    "sweet_selection",
    "syntax_elements",
    "syntax_examples",
    "timing",
    "unmarked",
    "write_table",
]
