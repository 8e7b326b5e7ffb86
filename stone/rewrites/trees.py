"""What the rules of all languages share: a site, and a look at syntax trees."""

from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

from tree_sitter import Node

FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True)
class Site:
    """A place that a rule applies to: kind, present form, bytes [start, end), those of the other form, and content that no rule changes."""

    kind: str
    form: int
    start: int
    end: int
    other: bytes
    content: str


def at(node: Node, kind: str, form: int, other: bytes, content: str = "") -> Site:
    """A site that is a whole node."""
    return Site(kind, form, node.start_byte, node.end_byte, other, content)


def nodes(root: Node, closed: Container[str]) -> Iterator[Node]:
    """Every node in source order; the inside of `closed` types is left out."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in closed:
            waiting.extend(reversed(node.children))


def raw(node: Node) -> bytes:
    return node.text or b""


def text(node: Node) -> str:
    return raw(node).decode(errors="replace")


def between(node: Node, left: Node, right: Node) -> bytes:
    """The bytes of a node between two of its children."""
    return raw(node)[left.end_byte - node.start_byte : right.start_byte - node.start_byte]


def inner(node: Node) -> Node:
    """The expression inside parentheses, or the node itself."""
    while node.type in ("parenthesized_expression", "condition_clause") and len(node.named_children) == 1:
        node = node.named_children[0]
    return node


def outer(node: Node) -> tuple[Node, Node | None]:
    """The node with all parentheses around it, and what holds them."""
    while node.parent is not None and node.parent.type in ("parenthesized_expression", "condition_clause"):
        node = node.parent
    return node, node.parent


def same(a: Node | None, b: Node | None) -> bool:
    return a is not None and b is not None and a.id == b.id


def replaced(node: Node, part: Node, new: bytes) -> bytes:
    """The bytes of a node with one of its parts rewritten."""
    own = raw(node)
    return own[: part.start_byte - node.start_byte] + new + own[part.end_byte - node.start_byte :]


def grows_together(before: bytes, after: bytes) -> bool:
    """Would two pieces of code become one word (or a string with a prefix) side by side?"""
    return all(piece.isalnum() or (piece != b"" and piece in b"_'\"") for piece in (before[-1:], after[:1]))


def swapped(node: Node, left: Node, right: Node, operator: Node, sign: bytes) -> bytes:
    """A binary expression with its operands exchanged and another operator; its spacing stays."""
    return raw(right) + between(node, left, operator) + sign + between(node, operator, right) + raw(left)


def positive(condition: str) -> tuple[str, bool]:
    """A condition's shape without the negation that leads it, and was there one?"""
    return (condition[2:-1], True) if condition.startswith("!(") else (condition, False)


# -- rules that all languages have ------------------------------------------------------------------------------------------------------
def compare(node: Node, shape: Callable[..., str], pure: Callable[[Node], bool], signs: Container[str]) -> Site | None:
    """`a < b` and `b > a`; `a == b` and `b == a` (any of `signs`), of which form 0 has literals last and is ordered by shape and name."""
    if len(node.children) != 3 or not (pure(node.children[0]) and pure(node.children[2])):
        return None
    left, operator, right = node.children
    if operator.type in FLIPPED:
        other = swapped(node, left, right, operator, FLIPPED[operator.type].encode())
        return at(node, "order", int(operator.type[0] == ">"), other, shape(node))
    keys = [("_" not in shape(n), shape(n), shape(n, True)) for n in (left, right)]  # a literal names nothing
    if operator.type not in signs or keys[0] == keys[1]:
        return None
    other = swapped(node, left, right, operator, raw(operator))
    return at(node, "equal", int(keys[0] > keys[1]), other, positive(shape(node))[0])


def returned(node: Node, shape: Callable[..., str], unfit: Container[str]) -> Site | None:
    """`return x` and `return (x)`, unless x is of an `unfit` type or takes several lines."""
    value = node.named_children[0] if len(node.named_children) == 1 else None
    if value is None or b"\n" in raw(value) or value.type in unfit:
        return None
    if value.type != "parenthesized_expression":
        return at(value, "returned", 0, b"(" + raw(value) + b")", shape(value))
    held = value.named_children
    if len(held) != 1 or held[0].type == "parenthesized_expression" or held[0].type in unfit:
        return None
    return at(value, "returned", 1, raw(held[0]), shape(value))


def operands(node: Node, numbers: Container[str], fits: Callable[[Node], bool], shape: Callable[..., str]) -> Site | None:
    """`x + 1` and `1 + x`, `x * 2` and `2 * x`, where x `fits`; `x = x + 1` is left to another rule."""
    if len(node.children) != 3 or text(node.children[1]) not in ("+", "*"):
        return None
    left, operator, right = node.children
    other = left if right.type in numbers else right
    if (left.type in numbers) == (right.type in numbers) or not fits(other):
        return None
    above = node.parent
    if above is not None and above.type in ("assignment", "assignment_expression") and raw(other) == raw(above.children[0]):
        return None
    return at(node, "operands", int(left.type in numbers), swapped(node, left, right, operator, raw(operator)), shape(node))


def exchanged(node: Node, condition: Node, opposite: bytes, block: Node, last: Node) -> bytes:
    """An `if` with the opposite condition and its two branches exchanged; what stands between them stays."""
    own = raw(node)
    cuts = [x - node.start_byte for n in (condition, block, last) for x in (n.start_byte, n.start_byte + len(raw(n).rstrip()))]
    first, second, gap = own[cuts[2] : cuts[3]], own[cuts[4] : cuts[5]], own[cuts[3] : cuts[4]]
    header = own[: cuts[0]] + (b" " if grows_together(own[: cuts[0]], opposite) else b"")
    return header + opposite + own[cuts[1] : cuts[2]] + second + gap + first + own[cuts[5] :]
