"""Places of a program that have two forms of the same meaning, and writing them in the forms that are wanted.

A slot's name does not depend on the form of any slot, so that the program's slots are the same before and after rewriting: the function that
it stands in, its kind, the shape of its content (identifiers left out, so that renaming locals changes no name), and a number among equals.
Formatting and comments outside the rewritten places stay what they are.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tree_sitter import Node

from stone.rewrites import braces, python
from stone.rewrites.trees import Site, grows_together, nodes, text
from stone.solutions import parser

_MODULES = {"python": python, "cpp": braces, "java": braces}
_FUNCTIONS = {"function_definition", "method_declaration", "constructor_declaration"}
_ROUNDS = 64  # a round settles one level of nesting


@dataclass(frozen=True)
class Slot:
    """A place with two forms: its form (0 or 1), its bytes [start, end), and what they are in the other form."""

    name: str
    kind: str
    form: int
    start: int
    end: int
    other: bytes


@lru_cache(maxsize=4096)  # a text is asked about under many keys
def slots(code: str, language: str) -> tuple[Slot, ...]:
    """All slots of a program, outer ones first. Parts that do not parse have none. Raises ValueError for an unknown language."""
    return _slots(code, language)


def _slots(code: str, language: str) -> tuple[Slot, ...]:
    if language not in _MODULES:
        raise ValueError(f"language {language!r} is unknown; choose one of {', '.join(_MODULES)}")
    module, source = _MODULES[language], code.encode()
    root = parser(language).parse(source).root_node
    every = list(nodes(root, module.CLOSED))
    facts = module.facts(every)
    seen: Counter[str] = Counter()
    found = []
    for node in every:
        for rule in module.RULES.get(node.type, ()):
            try:
                site = None if node.has_error else rule(node, facts)
            except RecursionError:  # nested too deep for a program that anyone would mark
                site = None
            if site:
                shape = f"{_function(node)}\0{site.kind}\0{site.content}"
                name = f"{shape}\0{seen[shape]}"
                seen[shape] += 1
                found.append(Slot(name, site.kind, site.form, site.start, site.end, _apart(source, site)))
    return tuple(sorted(found, key=lambda s: (s.start, -s.end)))


def rewrite(code: str, language: str, wanted: Callable[[str], int], start: int = 0) -> str:
    """The program with every slot behind its first `start` characters in the form that is wanted for its name."""
    first = len(code[:start].encode())
    for _ in range(_ROUNDS):
        source, edits, taken = code.encode(), [], first
        for slot in _slots(code, language):
            if slot.start >= taken and slot.form != wanted(slot.name):
                edits.append(slot)
                taken = slot.end
        if not edits:
            break
        for slot in reversed(edits):
            source = source[: slot.start] + slot.other + source[slot.end :]
        code = source.decode()
    return code


def _function(node: Node) -> str:
    """Name of the outermost function that holds a node, "" outside."""
    name, above = "", node.parent
    while above is not None:
        if above.type in _FUNCTIONS:
            declared = above.child_by_field_name("name") or above.child_by_field_name("declarator")
            while declared is not None and (inner := declared.child_by_field_name("declarator")) is not None:
                declared = inner
            name = text(declared) if declared is not None else ""
        above = above.parent
    return name


def _apart(source: bytes, site: Site) -> bytes:
    """The other form, with a space where it would grow together with a word beside it."""
    left = b" " if grows_together(source[: site.start], site.other) else b""
    right = b" " if grows_together(site.other, source[site.end : site.end + 1]) else b""
    return left + site.other + right


__all__ = ["Slot", "rewrite", "slots"]
