"""The frame of the C++ and Java rewrites: passes that write a program anew from its syntax tree, and what can be seen about it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, count

from tree_sitter import Node

from stone.solutions import parser

BLOCKS = {"compound_statement", "block"}
LOOPS = {"for_statement", "while_statement", "do_statement", "for_range_loop", "enhanced_for_statement"}
COMMENTS = {"comment", "line_comment", "block_comment"}
DECLARATIONS = {"declaration", "local_variable_declaration", "type_definition", "alias_declaration", "class_declaration", "using_declaration",
                "struct_specifier", "class_specifier"}  # fmt: skip
_FUNCTIONS = {
    "function_definition",
    "method_declaration",
    "constructor_declaration",
    "lambda_expression",
    "compact_constructor_declaration",
}
_INTEGERS = {"int", "long", "long long", "long int", "long long int", "short", "unsigned", "unsigned int", "unsigned long", "size_t",
             "unsigned long long", "char", "byte", "int64_t", "uint64_t", "int32_t", "uint32_t", "std::size_t"}  # fmt: skip
NUMBERS = _INTEGERS | {"float", "double"}
# Methods of the standard libraries that change nothing and give an int, if the program does not define them itself.
_COUNTS = {"size", "length", "charAt", "indexOf", "compareTo"}
_READS = _COUNTS | {"at", "get", "count", "find", "front", "back", "empty", "isEmpty", "begin", "end", "substr", "substring", "equals", "abs",
                    "contains", "containsKey", "isDigit", "isLetter", "isalpha", "isdigit", "to_string", "getOrDefault"}  # fmt: skip

Write = Callable[[Node], str]
Rule = Callable[[Node, Write, "Program"], str | None]


@dataclass
class Program:
    """A program as one pass sees it. taken : its names, shared by all passes; fired : the rewrites done."""

    code: str
    language: str
    taken: set[str]
    fired: Counter[str] = field(default_factory=Counter)

    @cached_property
    def source(self) -> bytes:
        return self.code.encode()

    @cached_property
    def root(self) -> Node:
        return parser(self.language).parse(self.source).root_node

    @cached_property
    def types(self) -> dict[str, str]:
        """The type of each variable, where all declarations of its name agree."""
        found: dict[str, set[str]] = {}
        for node in nodes(self.root):
            for name, kind in _declared(node):
                found.setdefault(name, set()).add(kind)
        return {name: next(iter(kinds)) for name, kinds in found.items() if len(kinds) == 1}

    @cached_property
    def own_functions(self) -> set[str]:
        names = (n.child_by_field_name("declarator") or n.child_by_field_name("name") for n in nodes(self.root)
                 if n.type in ("function_declarator", "method_declaration"))  # fmt: skip
        return {text(n).split("::")[-1] for n in names if n}

    @cached_property
    def overloads(self) -> bool:
        return any(n.type in ("operator_name", "operator_cast") for n in nodes(self.root))

    def fresh(self, stem: str) -> str:
        """A name that the program uses nowhere."""
        name = next(n for n in chain([stem], (f"{stem}{i}" for i in count(2))) if n not in self.taken)
        self.taken.add(name)
        return name

    def rewritten(self, *rules: Rule) -> "Program":
        """After one pass: the first rule that has something to say about a node writes it; below, `write` goes on."""

        def write(node: Node) -> str:
            for rule in rules:
                made = rule(node, write, self)
                if made is not None:
                    return made
            return self.whole(node, write)

        return Program(write(self.root), self.language, self.taken, self.fired)

    def whole(self, node: Node, write: Write) -> str:
        """A node as it is, its children written anew."""
        if not node.children:
            return text(node)
        parts, at = [], node.start_byte
        for child in node.children:
            parts += [self.source[at : child.start_byte].decode(errors="replace"), write(child)]
            at = child.end_byte
        return "".join(parts) + self.source[at : node.end_byte].decode(errors="replace")

    def reads_only(self, node: Node) -> bool:
        """Does an expression assign nothing and call only what is known to change nothing?"""
        for n in nodes(node):
            if n.type in (
                "assignment_expression",
                "update_expression",
                "lambda_expression",
                "object_creation_expression",
                "new_expression",
            ):
                return False
            if n.type in ("call_expression", "method_invocation"):
                name = called(n)
                if name not in _READS or name in self.own_functions:
                    return False
        return True

    def kind(self, node: Node) -> str | None:
        """The arithmetic type of an expression, as far as it is evident: "int", "long" or "double"; Java's shorter ones count as int."""
        match node.type:
            case (
                "decimal_integer_literal"
                | "number_literal"
                | "decimal_floating_point_literal"
                | "character_literal"
                | "char_literal"
            ):
                if "char" in node.type:
                    return "int"
                return "int" if text(node).isdigit() else "double" if re.fullmatch(r"[\d.]+", text(node)) else None
            case "identifier":
                found = self.types.get(text(node))
                wide = {"float": "double", "double": "double", "int": "int", "char": "int", "short": "int", "byte": "int"}
                return wide.get(found or "", "long" if found in _INTEGERS else None)
            case "parenthesized_expression" | "unary_expression":
                if node.type == "unary_expression" and node.children[0].type not in "+-":
                    return None
                return self.kind(node.named_children[-1])
            case "binary_expression" if operator(node) in ("+", "-", "*", "/", "%"):
                both = [self.kind(side) for side in sides(node)]
                return max((b for b in both if b), key=["int", "long", "double"].index) if all(both) else None
            case "call_expression" | "method_invocation" if called(node) in _COUNTS - self.own_functions:
                return "int" if self.language == "java" else "long"
        return None


def nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from nodes(child)


def text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def operator(node: Node) -> str:
    found = node.child_by_field_name("operator")
    return text(found) if found else ""


def sides(node: Node) -> tuple[Node, Node]:
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    assert left is not None and right is not None
    return left, right


def called(node: Node) -> str:
    """The last name of what a call calls."""
    target = node.child_by_field_name("name") or node.child_by_field_name("function")
    return re.split(r"\.|->|::", text(target))[-1] if target else ""


def statements(block: Node) -> list[Node]:
    """What stands between the braces, comments included."""
    return list(block.children[1:-1])


def declares(items: Sequence[Node]) -> bool:
    return any(n.type in DECLARATIONS for n in items)


def is_body(node: Node) -> bool:
    """Does a node stand where a statement is controlled: the body of a loop, a branch?"""
    above = node.parent
    if above is None or node.type in COMMENTS or node.type == "else_clause":
        return False
    if above.type == "else_clause":
        return node == above.named_children[-1]
    names = ("body",) if above.type in LOOPS else ("consequence", "alternative") if above.type == "if_statement" else ()
    return any(node == above.child_by_field_name(name) for name in names)


def function_of(node: Node) -> Node | None:
    above = node.parent
    while above is not None and above.type not in _FUNCTIONS:
        above = above.parent
    return above


def condition(node: Node) -> Node | None:
    """What an if or a while tests; None where the test declares something."""
    clause = node.child_by_field_name("condition")
    if clause is None or any("decl" in n.type or n.type == "init_statement" for n in nodes(clause)):
        return None
    if any(
        n.type == "instanceof_expression" and (n.child_by_field_name("name") or n.child_by_field_name("pattern"))
        for n in nodes(clause)
    ):
        return None
    inner = [c for c in clause.named_children if c.type not in COMMENTS]
    return inner[0] if len(inner) == 1 and len(clause.children) == 3 else None


def negated(node: Node, write: Write, program: Program) -> str:
    """A condition that is true when `node` is not. `a < b` becomes `!(a < b)` unless both are ints: NaN."""
    if node.type == "parenthesized_expression":
        return negated(node.named_children[0], write, program) if len(node.children) == 3 else f"!{write(node)}"
    if node.type == "unary_expression" and text(node.children[0]) in ("!", "not"):
        inner = node.named_children[-1]
        return write(inner)
    if node.type == "binary_expression":
        left, right = sides(node)
        sign = operator(node)
        other = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}.get(sign)
        if (
            other
            and not program.overloads
            and (sign in ("==", "!=") or {program.kind(left), program.kind(right)} <= {"int", "long"})
        ):
            return f"{write(left)} {other} {write(right)}"
        joint = {"&&": "||", "and": "||", "||": "&&", "or": "&&"}.get(sign)
        if joint and not program.overloads:
            return f" {joint} ".join(f"({negated(side, write, program)})" for side in (left, right))
    return f"!({write(node)})"


def _declared(node: Node) -> Iterator[tuple[str, str]]:
    """Names that a node declares, with their types; "?" where a form is not understood."""
    kind = node.child_by_field_name("type")
    if node.type in ("declaration", "parameter_declaration", "optional_parameter_declaration", "for_range_loop", "local_variable_declaration",
                     "field_declaration", "formal_parameter", "enhanced_for_statement", "catch_formal_parameter", "resource"):  # fmt: skip
        for target in [*node.children_by_field_name("declarator"), *node.children_by_field_name("name")]:
            yield from _declarator(target, re.sub(r"\s+", " ", text(kind)) if kind else "?")
    elif node.type in (
        "lambda_capture_initializer",
        "inferred_parameters",
        "structured_binding_declarator",
        "type_parameter_declaration",
    ):
        yield from ((text(n), "?") for n in nodes(node) if n.type == "identifier")
    elif node.type == "lambda_expression" and (given := node.child_by_field_name("parameters")) and given.type == "identifier":
        yield text(given), "?"


def _declarator(node: Node, kind: str) -> Iterator[tuple[str, str]]:
    if node.type in ("identifier", "field_identifier"):
        yield text(node), kind
    elif node.type in ("init_declarator", "variable_declarator"):
        inner = node.child_by_field_name("declarator") or node.child_by_field_name("name")
        if inner:
            yield from _declarator(inner, kind + ("[]" if node.child_by_field_name("dimensions") else ""))
    elif node.type == "reference_declarator" and node.named_children:
        yield from _declarator(node.named_children[-1], kind)
    else:
        yield from ((text(n), "?") for n in nodes(node) if n.type in ("identifier", "field_identifier"))
