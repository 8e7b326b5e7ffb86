"""Attacks on marked programs that keep them right: the algorithm-aware adversary of the paper's Limitations.

Each maps a program to a program of the same meaning; whether it still passes its tests is measured, not assumed.
"""

from collections.abc import Callable

from stone.attacks import braces, pythonic
from stone.attacks.refactor import refactored

LANGUAGE_ATTACKS = {"python": pythonic, "cpp": braces, "java": braces}
ATTACKS = ("rename", "strip", "golf", "refactor")


def attack(name: str, code: str, language: str, entry_point: str) -> str:
    """The attacked program.

    name : "rename" (local names, parameters, and in Python helper functions, get meaningless names), "strip" (no comments and docstrings),
    "golf" (both, shortest names, least white space), "refactor" (other loops, branches, expressions and layout; names and comments stay).
    A program that does not parse, or that looks its own names up (Python's `locals`, C++'s
    `#define`), is only changed as far as that is safe, at the least not at all. Raises ValueError for another name or language.
    """
    if name not in ATTACKS:
        raise ValueError(f"attack {name!r} is unknown; choose one of {', '.join(ATTACKS)}")
    if language not in LANGUAGE_ATTACKS:
        raise ValueError(f"language {language!r} is unknown; choose one of {', '.join(LANGUAGE_ATTACKS)}")
    module = LANGUAGE_ATTACKS[language]
    steps: dict[str, list[Callable[[str], str]]] = {
        "rename": [lambda c: module.rename(c, language, entry_point, "value_{}")],
        "strip": [lambda c: module.strip(c, language)],
        "golf": [
            lambda c: module.strip(c, language),
            lambda c: module.rename(c, language, entry_point, "{}"),
            lambda c: module.squeeze(c, language),
        ],
        "refactor": [lambda c: refactored(c, language)[0]],
    }
    for step in steps[name]:
        code = step(code)
    return code


__all__ = ["ATTACKS", "attack"]
