"""Refactoring of Python programs with LibCST: passes in a fixed order, each over the whole program.

A rewrite is done only where it can be seen to be exact. What cannot be seen is taken to be as in ordinary programs: names are bound when they
are read, and nothing looks at frames, source or reference counts.
"""

import ast
from collections import Counter

import libcst as cst

from stone.attacks.refactor.python_branches import Branches, Conditionals
from stone.attacks.refactor.python_expressions import Comparisons, Names, Sums
from stone.attacks.refactor.python_facts import Facts
from stone.attacks.refactor.python_layout import Lines, Style
from stone.attacks.refactor.python_loops import Loops

PASSES = (Lines, Loops, Conditionals, Branches, Sums, Comparisons, Names, Style)
_LOOKS_UP_NAMES = {"locals", "globals", "vars", "eval", "exec", "dir", "__import__", "inspect"}


def refactored(code: str, language: str = "python") -> tuple[str, Counter[str]]:
    """The program after all passes, and how often each rewrite was done. One that does not parse or looks its names up is left."""
    try:
        names = {n.id for n in ast.walk(ast.parse(code)) if isinstance(n, ast.Name)}
        module = cst.parse_module(code)
    except (SyntaxError, ValueError, RecursionError, cst.ParserSyntaxError):
        return code, Counter()
    if names & _LOOKS_UP_NAMES:
        return code, Counter()
    facts = Facts.of(code)
    for rewrites in PASSES:
        module = module.visit(rewrites(facts))
    return module.code, facts.fired
