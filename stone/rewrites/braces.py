"""Rules for C++ and Java; see `stone.rewrites.python`.

What is taken for granted: comparisons of library types have their mirrors and negations, `i++` and `++i` as statements say the same, and
reading a variable, an item or a length has no side effect.
"""

from collections.abc import Callable, Mapping

from tree_sitter import Node

from stone.rewrites.braces_shapes import NUMBERS, Facts, facts, number, pure, shape
from stone.rewrites.trees import Site, at, compare, exchanged, inner, operands, outer, positive, raw, replaced, returned, same, text

CLOSED = frozenset(
    "string_literal comment line_comment block_comment preproc_def preproc_function_def template_argument_list".split()
)
_STATEMENTS = ("expression_statement", "return_statement", "break_statement", "continue_statement")
_ARITHMETIC = ("+", "-", "*", "/", "%")
_BLOCKS = ("compound_statement", "block")
_KEEP_PARENTHESES = frozenset(
    "conditional_expression ternary_expression assignment_expression comma_expression lambda_expression throw_expression".split()
)


def _compare(node: Node, known: Facts) -> Site | None:
    return compare(node, shape, pure, ("==", "!="))


def _operands(node: Node, known: Facts) -> Site | None:
    return operands(node, NUMBERS, lambda other: number(other, known), shape)


def _returned(node: Node, known: Facts) -> Site | None:
    return returned(node, shape, ("initializer_list", "comma_expression", "lambda_expression", "assignment_expression"))


def _branch(node: Node, known: Facts) -> Site | None:
    """`if (c) {A} else {B}` and `if (!c) {B} else {A}`."""
    condition, block, last = (node.child_by_field_name(f) for f in ("condition", "consequence", "alternative"))
    if condition is None or block is None or last is None or any(c.type == "constexpr" for c in node.children):
        return None
    last = last.named_children[-1] if last.type == "else_clause" else last
    opposite = _negated(condition) if len(condition.named_children) == 1 else None
    if opposite is None or block.type not in _BLOCKS or last.type not in _BLOCKS:
        return None
    new = exchanged(node, condition, b"(" + opposite[0] + b")", block, last)
    return at(node, "branch", opposite[1], new, positive(shape(condition))[0])


def _negation(node: Node, known: Facts) -> Site | None:
    """`a != b` and `!(a == b)`."""
    whole, above = outer(node)
    if above is None or above.type == "unary_expression" or _chooses(above, whole):
        return None
    content = positive(shape(node))[0]
    if node.type == "binary_expression" and len(node.children) == 3 and node.children[1].type == "!=":
        return at(node, "negation", 0, b"!(" + replaced(node, node.children[1], b"==") + b")", content)
    compared = inner(node.children[-1])
    sign = compared.children[1] if compared.type == "binary_expression" and len(compared.children) == 3 else None
    if node.type != "unary_expression" or node.children[0].type != "!" or sign is None or sign.type != "==":
        return None
    return at(node, "negation", 1, replaced(compared, sign, b"!="), content)


def _chooses(above: Node, condition: Node) -> bool:
    """Is this the condition of something whose branches can be exchanged?"""
    if above.type == "if_statement":
        return above.child_by_field_name("alternative") is not None and same(above.child_by_field_name("condition"), condition)
    return above.type in ("conditional_expression", "ternary_expression") and same(
        above.child_by_field_name("condition"), condition
    )


def _negated(condition: Node) -> tuple[bytes, int] | None:
    """The opposite condition, and is the given one negative? None where the two could not be told apart again."""
    core = inner(condition)
    if core.type == "unary_expression" and core.children[0].type == "!":
        said = inner(core.children[1])
        double = (said.type == "unary_expression" and said.children[0].type == "!") or (
            said.type == "binary_expression" and said.children[1].type == "!="
        )
        return None if double or said.type in _KEEP_PARENTHESES else (raw(said), 1)
    if core.type == "binary_expression" and len(core.children) == 3 and core.children[1].type in ("==", "!="):
        negative = core.children[1].type == "!="
        return replaced(core, core.children[1], b"==" if negative else b"!="), int(negative)
    if core.type in _KEEP_PARENTHESES or core.type == "declaration":
        return None
    simple = core.type in ("identifier", "call_expression", "method_invocation", "field_access", "true", "false")
    return b"!" + (raw(core) if simple else b"(" + raw(core) + b")"), 0


def _ternary(node: Node, known: Facts) -> Site | None:
    """`c ? a : b` and `!c ? b : a`."""
    condition, first, second = (node.child_by_field_name(f) for f in ("condition", "consequence", "alternative"))
    opposite = _negated(condition) if condition is not None else None
    if condition is None or first is None or second is None or opposite is None or {first.type, second.type} & _KEEP_PARENTHESES:
        return None
    return at(node, "ternary", opposite[1], opposite[0] + b" ? " + raw(second) + b" : " + raw(first), positive(shape(condition))[0])


def _increment(node: Node, known: Facts) -> Site | None:
    """`i++` and `++i`, where the value is not used."""
    above = node.parent
    if above is None or not (
        above.type == "expression_statement" or (above.type == "for_statement" and same(above.child_by_field_name("update"), node))
    ):
        return None
    form = int(node.children[0].type in ("++", "--"))
    sign, changed = (node.children[0], node.children[1]) if form else (node.children[1], node.children[0])
    other = raw(changed) + raw(sign) if form else raw(sign) + raw(changed)
    return at(node, "increment", form, other, f"{sign.type} {shape(changed)}")


def _augmented(node: Node, known: Facts) -> Site | None:
    """`x += 1` and `x = x + 1`, for variables that are numbers."""
    if len(node.children) != 3 or node.parent is None or node.parent.type not in ("expression_statement", "for_statement"):
        return None
    left, operator, right = node.children
    if left.type != "identifier" or text(left) not in known.numbers:
        return None
    x, sign = raw(left), operator.type[:-1]
    if sign in _ARITHMETIC and _plain(right):
        return at(node, "augmented", 0, b"%b = %b %b %b" % (x, x, sign.encode(), raw(right)), f"{sign} {shape(right)}")
    if operator.type == "=" and right.type == "binary_expression" and len(right.children) == 3 and raw(right.children[0]) == x:
        sign, by = right.children[1].type, right.children[2]
        if sign in _ARITHMETIC and _plain(by):
            return at(node, "augmented", 1, b"%b %b= %b" % (x, sign.encode(), raw(by)), f"{sign} {shape(by)}")
    return None


def _plain(node: Node) -> bool:
    """A whole number without suffix: of no wider type than any variable."""
    return node.type in NUMBERS and text(node).isdecimal()


def _braces(node: Node, known: Facts) -> Site | None:
    """A body of one simple statement, in braces or not; not where an `else` follows."""
    body = node.child_by_field_name("consequence") or node.child_by_field_name("body")
    if body is None or node.child_by_field_name("alternative") is not None:
        return None
    condition = node.child_by_field_name("condition")
    kind = "while" if node.type == "while_statement" or _is_while(node) else node.type
    content = f"{kind} {shape(condition) if condition is not None else ''}"
    if body.type in _STATEMENTS and raw(body) != b";":
        return at(body, "braces", 1, b"{ " + raw(body) + b" }", content)
    held = body.children[1] if body.type in _BLOCKS and len(body.children) == 3 else None
    if held is not None and held.type in _STATEMENTS and raw(held) != b";":
        return at(body, "braces", 0, raw(held), content)
    return None


def _is_while(node: Node) -> bool:
    started = node.child_by_field_name("initializer") or node.child_by_field_name("init")
    return node.type == "for_statement" and started is None and node.child_by_field_name("update") is None


def _loop(node: Node, known: Facts) -> Site | None:
    """`while (c)` and `for (; c; )`."""
    condition, body = node.child_by_field_name("condition"), node.child_by_field_name("body")
    if condition is None or body is None or (node.type == "for_statement" and not _is_while(node)):
        return None
    if condition.type == "condition_clause" and (
        len(condition.named_children) != 1 or condition.named_children[0].type == "declaration"
    ):
        return None
    said, form = (inner(condition), 0) if node.type == "while_statement" else (condition, 1)
    header = b"while (" + raw(said) + b") " if form else b"for (; " + raw(said) + b"; ) "
    return Site("loop", form, node.start_byte, body.start_byte, header, shape(said))


RULES: Mapping[str, tuple[Callable[[Node, Facts], Site | None], ...]] = {
    "binary_expression": (_compare, _negation, _operands),
    "unary_expression": (_negation,),
    "if_statement": (_branch, _braces),
    "conditional_expression": (_ternary,),
    "ternary_expression": (_ternary,),
    "update_expression": (_increment,),
    "assignment_expression": (_augmented,),
    "return_statement": (_returned,),
    "while_statement": (_loop, _braces),
    "for_statement": (_loop, _braces),
    "for_range_loop": (_braces,),
    "enhanced_for_statement": (_braces,),
}

__all__ = ["CLOSED", "RULES", "facts"]
