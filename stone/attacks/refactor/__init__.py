"""Refactoring: rules that change how a program is written and keep what it does."""

from collections import Counter

from stone.attacks.refactor import braces, python


def refactored(code: str, language: str) -> tuple[str, Counter[str]]:
    """The program after every rewrite that can be seen to be exact, and how often each kind of rewrite was done."""
    return (python if language == "python" else braces).refactored(code, language)


__all__ = ["refactored"]
