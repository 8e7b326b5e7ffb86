"""Refactoring of C++ and Java programs with tree-sitter: passes in a fixed order, each over the whole program.

A rewrite is done only where it can be seen to be exact; types are known only where a declaration says them.
"""

import re
from collections import Counter

from stone.attacks.refactor.braces_expressions import comparisons, conditional_returns, named, sums
from stone.attacks.refactor.braces_frame import Program, nodes
from stone.attacks.refactor.braces_layout import laid_out
from stone.attacks.refactor.braces_statements import braces, branches, loops

PASSES = ((braces,), (loops,), (conditional_returns,), (branches,), (sums, comparisons), (named,))
_UNSAFE = {"preproc_def", "preproc_function_def", "goto_statement"}


def refactored(code: str, language: str) -> tuple[str, Counter[str]]:
    """The program after all passes, and how often each rewrite was done. One that does not parse, defines macros or jumps is left."""
    program = Program(code, language, set(re.findall(r"[^\W\d]\w*", code)))
    if program.root.has_error or any(n.type in _UNSAFE for n in nodes(program.root)):
        return code, Counter()
    try:
        for rules in PASSES:
            program = program.rewritten(*rules)
        return laid_out(program), program.fired
    except RecursionError:
        return code, Counter()
