"""When an output counts as right (evalplus' semantics: exact, or within a tolerance where floats are expected)."""

import numpy as np

from stone.datasets import Problem


def _has_floats(value) -> bool:
    if isinstance(value, float):
        return True
    return isinstance(value, list | tuple) and len(value) > 0 and all(isinstance(v, float) for v in value)


def matches(problem: Problem, arguments, answer, right) -> bool:
    """Is the answer right? Plain values only come here, so comparing runs no foreign code."""
    if type(answer) is type(right) and answer == right:
        return True
    atol = problem.atol or (1e-6 if _has_floats(right) else 0.0)
    if atol:
        try:
            return type(answer) is type(right) and bool(np.allclose(answer, right, rtol=1e-7, atol=atol))
        except (TypeError, ValueError):
            return False
    if isinstance(right, tuple) and isinstance(answer, list):
        return tuple(answer) == right
    return bool(answer == right)
