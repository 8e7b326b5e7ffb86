"""Refactoring: rules that change how a program is written and keep what it does."""

from collections import Counter

from stone.attacks.refactor import python


def refactored(code: str, language: str) -> tuple[str, Counter[str]]:
    return python.refactored(code)
