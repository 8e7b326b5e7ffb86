"""Rules for Python: each looks at one node of the syntax tree and says whether it is a site.

What is taken for granted: `<` and `>`, `==` and `!=`, `in` and `not in` are each other's mirror or negation, as they are for all built-in types;
reading a name, an item or an attribute has no side effect; and what `+= number` changes is a number.
"""

from collections.abc import Callable, Mapping

from tree_sitter import Node

from stone.rewrites.python_shapes import NEGATIVE, NUMBERS, Facts, facts, number, pure, shape
from stone.rewrites.trees import Site, at, compare, exchanged, inner, operands, outer, positive, raw, replaced, returned, same, text

CLOSED = ("string", "comment")  # f-strings are left alone
_KEEP_PARENTHESES = ("conditional_expression", "lambda", "named_expression")
_ARITHMETIC = ("+", "-", "//", "%")
_COMPLEMENT = NEGATIVE | {v: k for k, v in NEGATIVE.items()}


def _compare(node: Node, bound: Facts) -> Site | None:
    return compare(node, shape, lambda n: pure(n, bound), ("==", "!=", "is", "is not"))


def _operands(node: Node, bound: Facts) -> Site | None:
    fit = ("identifier", "attribute", "subscript", "call", "parenthesized_expression")
    return operands(node, NUMBERS, lambda other: other.type in fit, shape)


def _returned(node: Node, bound: Facts) -> Site | None:
    return returned(node, shape, ("expression_list", "comment", "yield", "named_expression"))


def _branch(node: Node, bound: Facts) -> Site | None:
    """`if c: A else: B` and `if not c: B else: A`."""
    condition, block = node.child_by_field_name("condition"), node.child_by_field_name("consequence")
    others = node.children_by_field_name("alternative")
    if condition is None or block is None or len(others) != 1 or others[0].type != "else_clause":
        return None
    last, opposite = others[0].child_by_field_name("body"), _negated(condition)
    lines = [b is not None and b.start_point.row > h.start_point.row for b, h in ((block, node), (last, others[0]))]
    if opposite is None or last is None or not all(lines) or block.start_point.column != last.start_point.column:
        return None
    new = exchanged(node, condition, opposite[0], block, last)
    return at(node, "branch", opposite[1], new, positive(shape(condition))[0])


def _negation(node: Node, bound: Facts) -> Site | None:
    """`a != b` and `not a == b`, where a truth value is asked for."""
    whole, above = outer(node)
    if not same(whole, node) or above is None or not _asks_for_truth(node, above) or _chooses(above, node):
        return None
    content = positive(shape(node))[0]
    if node.type == "comparison_operator" and len(node.children) == 3 and node.children[1].type in NEGATIVE:
        new = b"not " + replaced(node, node.children[1], NEGATIVE[node.children[1].type].encode())
        return at(node, "negation", 0, new, content)
    compared = inner(node.named_children[0])
    sign = compared.children[1] if compared.type == "comparison_operator" and len(compared.children) == 3 else None
    if node.type != "not_operator" or sign is None or sign.type not in NEGATIVE.values():
        return None
    return at(node, "negation", 1, replaced(compared, sign, _COMPLEMENT[sign.type].encode()), content)


def _asks_for_truth(node: Node, above: Node) -> bool:
    if above.type in ("if_statement", "elif_clause", "while_statement"):
        return same(above.child_by_field_name("condition"), node)
    return above.type in ("boolean_operator", "if_clause")


def _chooses(above: Node, condition: Node) -> bool:
    """Is this the condition of something whose branches can be exchanged?"""
    return (
        above.type == "if_statement"
        and bool(above.children_by_field_name("alternative"))
        and same(above.child_by_field_name("condition"), condition)
    )


def _negated(condition: Node) -> tuple[bytes, int] | None:
    """The opposite condition, and is the given one negative? None where the two could not be told apart again."""
    core = inner(condition)
    if b"\n" in raw(condition) or core.type in _KEEP_PARENTHESES:
        return None
    if core.type == "not_operator":
        said = inner(core.named_children[0])
        double = said.type == "not_operator" or (said.type == "comparison_operator" and said.children[1].type in NEGATIVE)
        return None if double or said.type in _KEEP_PARENTHESES else (raw(said), 1)
    if core.type == "comparison_operator" and len(core.children) == 3 and core.children[1].type in _COMPLEMENT:
        sign = core.children[1]
        return replaced(condition, sign, _COMPLEMENT[sign.type].encode()), int(sign.type in NEGATIVE)
    simple = condition.type in ("identifier", "call", "attribute", "subscript", "parenthesized_expression", "true", "false")
    return b"not " + (raw(condition) if simple else b"(" + raw(condition) + b")"), 0


def _ternary(node: Node, bound: Facts) -> Site | None:
    """`a if c else b` and `b if not c else a`."""
    if len(node.named_children) != 3:
        return None
    first, condition, second = node.named_children
    opposite = _negated(condition)
    if opposite is None or second.type in _KEEP_PARENTHESES:
        return None
    new = raw(second) + b" if " + opposite[0] + b" else " + raw(first)
    return at(node, "ternary", opposite[1], new, positive(shape(condition))[0])


def _augmented(node: Node, bound: Facts) -> Site | None:
    """`x += 1` and `x = x + 1`, for numbers."""
    if len(node.children) != 3 or node.parent is None or node.parent.type != "expression_statement":
        return None
    left, operator, right = node.children
    if left.type not in ("identifier", "attribute", "subscript") or not pure(left, bound) or b":" in raw(left):
        return None
    x, sign = raw(left), text(operator)[:-1]
    if sign in _ARITHMETIC and number(right, bound):
        return at(
            node, "augmented", 0, b"%b = %b %b %b" % (x, x, sign.encode(), raw(right)), f"{sign} {shape(left)} {shape(right)}"
        )
    if text(operator) == "=" and right.type == "binary_operator" and len(right.children) == 3 and raw(right.children[0]) == x:
        sign, by = text(right.children[1]), right.children[2]
        if sign in _ARITHMETIC and number(by, bound):
            return at(node, "augmented", 1, b"%b %b= %b" % (x, sign.encode(), raw(by)), f"{sign} {shape(left)} {shape(by)}")
    return None


def _call(node: Node, bound: Facts) -> Site | None:
    """`range(n)` and `range(0, n)`; `list()` and `[]`, `dict()` and `{}`."""
    function, given = node.children[0], node.children[1]
    if text(function) in bound or given.type != "argument_list" or b"\n" in raw(given):
        return None
    if text(function) == "range" and not any(a.type in ("keyword_argument", "list_splat") for a in given.named_children):
        arguments = given.named_children
        if len(arguments) == 1:
            return at(node, "range", 0, b"range(0, %b)" % raw(arguments[0]), shape(node))
        if len(arguments) == 2 and raw(arguments[0]) == b"0":
            return at(node, "range", 1, b"range(%b)" % raw(arguments[1]), shape(node))
    return at(node, "empty", 1, shape(node).encode(), shape(node)) if raw(node) in (b"list()", b"dict()") else None


def _literal(node: Node, bound: Facts) -> Site | None:
    name = {"list": "list", "dictionary": "dict"}[node.type]
    if raw(node) not in (b"[]", b"{}") or name in bound or node.parent is None or "pattern" in node.parent.type:
        return None
    return at(node, "empty", 0, name.encode() + b"()", shape(node))


def _quotes(node: Node, bound: Facts) -> Site | None:
    """`'x'` and `"x"`; not docstrings, not strings that hold a quote or a backslash."""
    own, above = raw(node), node.parent
    content = own[1:-1]
    if own[:1] not in (b"'", b'"') or any(c in content for c in (b"'", b'"', b"\\", b"\n")):
        return None
    if above is not None and above.type == "concatenated_string":
        above = above.parent
    if above is None or above.type in ("expression_statement", "module"):
        return None
    form = int(own[:1] == b'"')
    quote = (b'"', b"'")[form]
    return at(node, "quotes", form, quote + content + quote, shape(node))


def _forever(node: Node, bound: Facts) -> Site | None:
    """`while True` and `while 1`."""
    condition = node.child_by_field_name("condition")
    if condition is None or raw(condition) not in (b"True", b"1"):
        return None
    form = int(raw(condition) == b"1")
    return at(condition, "forever", form, (b"1", b"True")[form])


RULES: Mapping[str, tuple[Callable[[Node, Facts], Site | None], ...]] = {
    "comparison_operator": (_compare, _negation),
    "not_operator": (_negation,),
    "if_statement": (_branch,),
    "conditional_expression": (_ternary,),
    "augmented_assignment": (_augmented,),
    "assignment": (_augmented,),
    "binary_operator": (_operands,),
    "call": (_call,),
    "list": (_literal,),
    "dictionary": (_literal,),
    "string": (_quotes,),
    "return_statement": (_returned,),
    "while_statement": (_forever,),
}

__all__ = ["CLOSED", "RULES", "facts"]
