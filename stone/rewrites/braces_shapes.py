"""What C++ and Java expressions say, whatever form their slots have, and what may be done with them."""

from collections.abc import Iterable
from dataclasses import dataclass

from tree_sitter import Node

from stone.rewrites.trees import FLIPPED, inner, positive, same, text

NUMBERS = ("number_literal", "decimal_integer_literal", "decimal_floating_point_literal")
_ATOMS = (*"identifier string_literal char_literal character_literal true false null null_literal this".split(), *NUMBERS)
_PURE = frozenset(
    "size length begin end rbegin rend cbegin cend empty isEmpty charAt get at back front abs min max pow sqrt floor ceil substr substring "
    "toString count find indexOf toupper tolower isdigit isalpha toLowerCase toUpperCase isDigit contains containsKey getOrDefault "
    "intValue".split()
)
_THROUGH = frozenset(
    "field_expression field_access subscript_expression subscript_argument_list array_access binary_expression unary_expression "
    "pointer_expression parenthesized_expression qualified_identifier namespace_identifier field_identifier argument_list "
    "scoped_identifier".split()
)
_OTHER_DECLARATORS = (
    "lambda_expression",
    "inferred_parameters",
    "structured_binding_declarator",
    "array_declarator",
    "pointer_declarator",
)
_DECLARATIONS = frozenset(
    "declaration parameter_declaration optional_parameter_declaration formal_parameter for_range_loop enhanced_for_statement".split()
)
_WORDS = (
    "int",
    "long",
    "double",
    "float",
    "long long",
    "size_t",
    "unsigned",
    "unsigned int",
    "unsigned long",
    "unsigned long long",
)
_LENGTHS = ("size", "length")


@dataclass(frozen=True)
class Facts:
    """numbers : names that are numbers wherever the program declares them."""

    numbers: frozenset[str]


def facts(every: Iterable[Node]) -> Facts:
    numbers: set[str] = set()
    others: set[str] = set()
    for node in every:
        if node.type == "identifier" and node.parent is not None and (kind := _declared_type(node)) is not None:
            (numbers if kind in _WORDS else others).add(text(node))
    return Facts(frozenset(numbers - others))


def _declared_type(name: Node) -> str | None:
    """The type that an identifier is declared with here; "" for what is no plain variable; None for a use."""
    above = name.parent
    if above is None or above.type in _OTHER_DECLARATORS:
        return None if above is None else ""
    if above.type in ("init_declarator", "variable_declarator", "reference_declarator"):
        declared = above.child_by_field_name("declarator") or above.child_by_field_name("name")
        if above.type != "reference_declarator" and not same(declared, name):
            return None
        above = above.parent
    elif above.type not in _DECLARATIONS or not any(
        same(n, name) for field in ("declarator", "name") for n in above.children_by_field_name(field)
    ):
        return None
    kind = above.child_by_field_name("type") if above is not None else None
    return text(kind) if kind is not None else ""


def shape(node: Node, named: bool = False) -> str:
    """What an expression says whatever the forms of its slots; identifiers are left out unless `named`."""

    def of(child: Node) -> str:
        return shape(child, named)

    match node.type:
        case "comment" | "line_comment" | "block_comment":
            return ""
        case "identifier":
            return text(node) if named else "_"
        case "parenthesized_expression" | "condition_clause" if len(node.named_children) == 1:
            return of(inner(node))
        case "binary_expression" if len(node.children) == 3:
            left, operator, right = node.children
            sign = operator.type
            if sign in FLIPPED:
                first, second = (of(left), of(right)) if sign[0] == "<" else (of(right), of(left))
                return f"(<{sign[1:]} {first} {second})"
            if sign in ("==", "!="):
                pair = "(== {} {})".format(*sorted([of(left), of(right)]))
                return f"!({pair})" if sign == "!=" else pair
            if sign in ("+", "*"):
                return "({} {} {})".format(sign, *map(of, sorted((left, right), key=lambda n: n.type in NUMBERS)))
        case "unary_expression" if node.children[0].type == "!":
            return f"!({of(node.children[1])})"
        case "conditional_expression" | "ternary_expression" if len(node.named_children) == 3:
            condition, then, other = node.named_children
            said, negated = positive(of(condition))
            return "(if {} {} {})".format(said, *([of(other), of(then)] if negated else [of(then), of(other)]))
        case "string_literal":
            return text(node)
    return f"({' '.join(of(c) for c in node.children)})" if node.children else text(node)


def pure(node: Node) -> bool:
    """Can an expression be evaluated a moment earlier or later?"""
    if node.type in _ATOMS or node.type in ("field_identifier", "namespace_identifier"):
        return True
    if node.type == "call_expression":
        function, given = node.children[0], node.children[1]
        called = function.named_children[-1] if function.type in ("field_expression", "qualified_identifier") else function
        return text(called) in _PURE and pure(function) and pure(given)
    if node.type == "method_invocation":
        name, held = node.child_by_field_name("name"), node.child_by_field_name("object")
        return name is not None and text(name) in _PURE and all(pure(n) for n in (held, node.children[-1]) if n is not None)
    if node.type == "cast_expression":
        value = node.child_by_field_name("value")
        return value is not None and pure(value)
    return node.type in _THROUGH and all(pure(c) for c in node.named_children)


def number(node: Node, known: Facts) -> bool:
    """Surely a number: a variable that is one, or the length of something."""
    if node.type == "identifier":
        return text(node) in known.numbers
    if node.type == "call_expression" and node.children[0].type == "field_expression":
        return text(node.children[0].named_children[-1]) in _LENGTHS
    return (
        node.type in ("method_invocation", "field_access")
        and text(node.child_by_field_name("name") or node.named_children[-1]) in _LENGTHS
    )
