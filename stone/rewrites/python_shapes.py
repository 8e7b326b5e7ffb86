"""What Python expressions say, whatever form their slots have, and what may be done with them."""

from collections.abc import Iterable

from tree_sitter import Node

from stone.rewrites.trees import FLIPPED, inner, positive, raw, text

NEGATIVE = {"!=": "==", "not in": "in", "is not": "is"}
NUMBERS = ("integer", "float")
_PURE_CALLS = frozenset("len ord chr abs int float str bool min max sorted set tuple round type sum list dict".split())
_PURE_METHODS = frozenset("lower upper strip count isdigit isalpha isupper islower split keys values get index find".split())
_INTEGER_CALLS = frozenset({"len", "ord", "int"})
_ATOMS = ("identifier", "integer", "float", "true", "false", "none", "string")
_BINDERS = frozenset(
    "parameters default_parameter typed_parameter typed_default_parameter lambda_parameters assignment augmented_assignment for_statement "
    "for_in_clause pattern_list tuple_pattern list_pattern named_expression function_definition class_definition aliased_import "
    "as_pattern_target dotted_name global_statement nonlocal_statement list_splat_pattern dictionary_splat_pattern".split()
)

Facts = frozenset[str]


def facts(every: Iterable[Node]) -> Facts:
    """Names that the program binds somewhere: built-in functions among them are not what they were."""
    return frozenset(text(n) for n in every if n.type == "identifier" and n.parent is not None and n.parent.type in _BINDERS)


def shape(node: Node, named: bool = False) -> str:
    """What an expression says whatever the forms of its slots; identifiers are left out unless `named`."""

    def of(child: Node) -> str:
        return shape(child, named)

    match node.type:
        case "comment":
            return ""
        case "identifier":
            return text(node) if named else "_"
        case "parenthesized_expression":
            return of(inner(node))
        case "string":
            return "str:" + text(node).strip("\"'") if raw(node)[:1] in b"\"'" else "str" + (text(node) if named else "")
        case "comparison_operator" if len(node.children) == 3:
            left, operator, right = node.children
            if operator.type in FLIPPED:
                first, second = (of(left), of(right)) if operator.type[0] == "<" else (of(right), of(left))
                return f"(<{operator.type[1:]} {first} {second})"
            sign = NEGATIVE.get(operator.type, operator.type)
            pair = f"({sign} {of(left)} {of(right)})" if sign == "in" else "({} {} {})".format(sign, *sorted([of(left), of(right)]))
            return f"!({pair})" if operator.type in NEGATIVE else pair
        case "not_operator":
            return f"!({of(node.named_children[0])})"
        case "binary_operator" if len(node.children) == 3 and text(node.children[1]) in ("+", "*"):
            return "({} {} {})".format(
                text(node.children[1]), *map(of, sorted(node.named_children, key=lambda n: n.type in NUMBERS))
            )
        case "conditional_expression":
            then, condition, other = node.named_children
            said, negated = positive(of(condition))
            return "(if {} {} {})".format(said, *([of(other), of(then)] if negated else [of(then), of(other)]))
        case "call" if text(node) in ("list()", "dict()"):
            return {"list()": "[]", "dict()": "{}"}[text(node)]
        case "call" if text(node.children[0]) == "range" and (given := node.named_children[1].named_children):
            return f"range({' '.join(of(a) for a in (given[1:] if len(given) == 2 and text(given[0]) == '0' else given))})"
        case "list" | "dictionary" if not node.named_children:
            return {"list": "[]", "dictionary": "{}"}[node.type]
    return f"({' '.join(of(c) for c in node.children)})" if node.children else text(node)


def pure(node: Node, bound: Facts) -> bool:
    """Can an expression be evaluated a moment earlier or later?"""
    match node.type:
        case kind if kind in _ATOMS:
            return kind != "string" or raw(node)[:1] in b"\"'"
        case "attribute":
            return pure(node.named_children[0], bound)
        case "call":
            function, given = node.children[0], node.children[1]
            if given.type != "argument_list" or not all(pure(a, bound) for a in given.named_children):
                return False
            if function.type == "attribute":
                return text(function.named_children[1]) in _PURE_METHODS and pure(function.named_children[0], bound)
            return text(function) in _PURE_CALLS - bound
        case (
            "subscript"
            | "slice"
            | "binary_operator"
            | "unary_operator"
            | "parenthesized_expression"
            | "list"
            | "tuple"
            | "dictionary"
        ):
            return all(pure(c, bound) for c in node.named_children)
    return False


def number(node: Node, bound: Facts) -> bool:
    """Surely a number: a literal, or the length of something."""
    return node.type in NUMBERS or (node.type == "call" and text(node.children[0]) in _INTEGER_CALLS - bound and pure(node, bound))
