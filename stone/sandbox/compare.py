"""When an output counts as right: evalplus' rules, its special cases included (evalplus 0.3.1, facts only)."""

import math

import numpy as np

from stone.datasets import Problem

# Tasks of MBPP+ whose answer is a collection in any order, and those where only "something or None" counts.
_ANY_ORDER = {"similar_elements", "find_char_long", "common_in_nested_lists", "extract_singly", "larg_nnum", "intersection_array",
              "find_dissimilar", "Diff"}  # fmt: skip
_SOMETHING = {"check_str", "text_match_three", "text_starta_endb"}


def is_floats(value) -> bool:
    """A float, or a list or tuple of nothing but floats."""
    if isinstance(value, list | tuple):
        return len(value) > 0 and all(isinstance(v, float) for v in value)
    return isinstance(value, float)


def matches(problem: Problem, arguments, answer, right) -> bool:
    """Is the answer right? Plain values only come here, so comparing runs no foreign code."""
    if problem.dataset == "humanevalplus" and problem.entry_point == "find_zero":
        return _is_number(answer) and abs(_polynomial(arguments[0], answer)) <= problem.atol
    try:
        equal = _equal_in_mbpp(problem, arguments, answer, right) if problem.dataset == "mbppplus" else answer == right
        atol = problem.atol or (1e-6 if is_floats(right) else 0.0)
        if equal or not atol or type(answer) is not type(right):
            return bool(equal)
        if isinstance(right, list | tuple) and len(answer) != len(right):
            return False
        return bool(np.allclose(answer, right, rtol=1e-7, atol=atol))
    except (TypeError, ValueError, OverflowError):  # values of other kinds than the test expects
        return False


def _equal_in_mbpp(problem: Problem, arguments, answer, right) -> bool:
    name = problem.entry_point
    if name in _ANY_ORDER:
        return set(answer) == set(right)
    if name in _SOMETHING:
        return answer == (right is not None) if isinstance(answer, bool) else (answer is None) == (right is None)
    if name == "are_equivalent":  # Mbpp/164: any answer is taken
        return True
    if name == "sum_div":  # Mbpp/295
        return answer == right or answer == 0
    if name == "surface_Area":  # Mbpp/581: the height may also be the pyramid's own
        return answer == right or abs(answer - _pyramid_surface(*arguments)) <= problem.atol
    if name == "digit_distance_nums":  # Mbpp/558: digits of numbers of unlike length may be aligned at the end
        return answer == right or answer == _digit_distance(*arguments)
    return answer == right


def _is_number(value) -> bool:
    return isinstance(value, int | float)


def _polynomial(coefficients: list, x: float) -> float:
    return sum(c * math.pow(x, power) for power, c in enumerate(coefficients))


def _pyramid_surface(edge: float, height: float) -> int:
    return round(edge**2 + 2 * edge * math.hypot(edge / 2, height))


def _digit_distance(first: int, second: int) -> int:
    width = max(len(str(first)), len(str(second)))
    return sum(abs(int(a) - int(b)) for a, b in zip(str(first).zfill(width), str(second).zfill(width), strict=True))
