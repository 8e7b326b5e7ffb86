"""Expressions of C++ and Java programs: comparisons, sums, conditional expressions, names for what is returned or tested."""

from tree_sitter import Node

from stone.attacks.refactor.braces_frame import (
    BLOCKS,
    COMMENTS,
    NUMBERS,
    Program,
    Write,
    condition,
    function_of,
    negated,
    nodes,
    operator,
    sides,
    statements,
    text,
)  # fmt: skip

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
_SPELLED = {"&&": "and", "and": "&&", "||": "or", "or": "||"}
_TERNARY = ("conditional_expression", "ternary_expression")
_LITERALS = {"true": "bool", "false": "bool", "string_literal": "text"}
_SIMPLE = {"identifier", "number_literal", "string_literal", "char_literal", "true", "false", "call_expression", "method_invocation",
           "subscript_expression", "array_access", "field_expression", "field_access", "parenthesized_expression",
           "decimal_integer_literal", "character_literal", "decimal_floating_point_literal"}  # fmt: skip


def conditional_returns(node: Node, write: Write, program: Program) -> str | None:
    """`return c ? a : b;` becomes if and else, and the other way round, where a and b are evidently of one type."""
    if node.type == "return_statement" and _in_block(node):
        value = _returned(node)
        if value is not None and value.type in _TERNARY:
            test, yes, no = (value.child_by_field_name(name) for name in ("condition", "consequence", "alternative"))
            if test and yes and no and _alike(yes, no, node, program):
                program.fired["conditional expression to if"] += 1
                return f"if ({write(test)}) {{\nreturn {write(yes)};\n}} else {{\nreturn {write(no)};\n}}"
    if node.type == "if_statement" and (test := condition(node)) and not any(c.type in COMMENTS for c in node.children):
        then, other = node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
        if other is not None and other.type == "else_clause":
            other = other.named_children[-1]
        pair = [_only_return(block) for block in (then, other)]
        if pair[0] and pair[1] and _alike(pair[0], pair[1], node, program):
            program.fired["if to conditional expression"] += 1
            return f"return {_atom(test, write)} ? {write(pair[0])} : {write(pair[1])};"
    return None


def _only_return(block: Node | None) -> Node | None:
    if block is None or block.type not in BLOCKS or len(statements(block)) != 1:
        return None
    return _returned(statements(block)[0])


def _returned(node: Node) -> Node | None:
    if node.type != "return_statement" or len(node.children) != 3:
        return None
    return node.children[1]


def _in_block(node: Node) -> bool:
    return node.parent is not None and node.parent.type in BLOCKS


def _alike(a: Node, b: Node, place: Node, program: Program) -> bool:
    """Does `c ? a : b` leave both values as they are: no common type, no unboxing in between?"""
    if program.language == "java":
        result = _result_type(place, program) or ""
        return (
            result in ("boolean", "int", "long", "String") or result.endswith("[]") or result.startswith(("List<", "Map<", "Set<"))
        )

    def kind(node: Node) -> str | None:
        if node.type == "parenthesized_expression":
            return kind(node.named_children[0])
        if node.type == "binary_expression" and operator(node) in _MIRRORED.keys() | _SPELLED.keys() and not program.overloads:
            return "bool"
        found = program.types.get(text(node)) if node.type == "identifier" else _LITERALS.get(node.type)
        return program.kind(node) or (None if found in ("auto", "?") else found)

    return kind(a) is not None and kind(a) == kind(b) and kind(a) != "long"


def _atom(node: Node, write: Write) -> str:
    return write(node) if node.type in _SIMPLE else f"({write(node)})"


def comparisons(node: Node, write: Write, program: Program) -> str | None:
    """`a < b` becomes `b > a` where the order of the operands cannot matter; `c ? a : b` turns round; C++'s `&&` is spelled `and`."""
    if node.type == "binary_expression":
        left, right = sides(node)
        sign = operator(node)
        if sign in _MIRRORED and not program.overloads and _either_order(left, right, program) and not _in_template(node):
            program.fired["comparison mirrored"] += 1
            return f"{write(right)} {_MIRRORED[sign]} {write(left)}"
        if sign in _SPELLED and program.language == "cpp" and not any(c.type in COMMENTS for c in node.children):
            program.fired["operator spelled otherwise"] += 1
            return f"{write(left)} {_SPELLED[sign]} {write(right)}"
    if node.type in _TERNARY and not any(c.type in COMMENTS for c in node.children):
        test, yes, no = (node.child_by_field_name(name) for name in ("condition", "consequence", "alternative"))
        if test and yes and no and not any(n.type in ("instanceof_expression", "assignment_expression") for n in nodes(test)):
            program.fired["conditional expression turned round"] += 1
            turned = negated(test, write, program)
            return f"{turned} ? {_atom(no, write)} : {_atom(yes, write)}"
    return None


def _in_template(node: Node) -> bool:
    above = node.parent
    while above is not None and above.type != "template_argument_list":
        above = above.parent
    return above is not None


def _either_order(left: Node, right: Node, program: Program) -> bool:
    """Is one side a literal; or a variable, and the other reads only?"""
    for one, other in ((left, right), (right, left)):
        if "literal" in one.type or one.type in ("true", "false", "null", "nullptr"):
            return True
        if one.type == "identifier" and program.reads_only(other):
            return True
    # The order of C++'s operands is nobody's business; Java's shows in which exception comes first.
    return program.language == "cpp" and program.reads_only(left) and program.reads_only(right)


def sums(node: Node, write: Write, program: Program) -> str | None:
    """`i++;` becomes `i += 1;`, `x += y;` becomes `x = x + y;` and the other way round, where x is evidently a number."""
    above = node.parent
    if above is None or not (above.type == "expression_statement" or (above.type == "for_statement" and _updates(node, above))):
        return None
    if node.type == "update_expression":
        target = node.named_children[0]
        first = text(node.children[0])
        sign = first if first in ("++", "--") else text(node.children[1])
        if target.type == "identifier" and program.types.get(text(target)) in NUMBERS and first != sign:
            program.fired["increment by one"] += 1
            return f"{text(target)} {sign[0]}= 1"
        if program.overloads:
            return None
        program.fired["increment before or after"] += 1
        return f"{write(target)}{sign}" if first == sign else f"{sign}{write(target)}"
    if node.type != "assignment_expression":
        return None
    left, right = sides(node)
    sign, kind = operator(node), program.types.get(text(left), "")
    if left.type != "identifier" or kind not in NUMBERS | {"String", "string", "std::string"}:
        return None
    if len(sign) == 2 and sign[0] in "+-*/%" and _exact(kind, sign[0], right, program):
        program.fired["augmented assignment spelled out"] += 1
        return f"{text(left)} = {text(left)} {sign[0]} {_atom(right, write)}"
    if sign == "=" and right.type == "binary_expression" and operator(right) in "+-*/%":
        same, value = sides(right)
        if same.type == "identifier" and text(same) == text(left) and (program.language == "java" or program.reads_only(value)):
            program.fired["augmented assignment"] += 1
            return f"{text(left)} {operator(right)}= {write(value)}"
    return None


def _updates(node: Node, loop: Node) -> bool:
    return node in loop.children_by_field_name("update")


def _exact(kind: str, sign: str, value: Node, program: Program) -> bool:
    """Is `x op= value` the same as `x = x op value`? Java narrows the one silently and refuses the other; C++ leaves the order open."""
    if program.language == "cpp":
        return kind in NUMBERS and program.reads_only(value)
    if kind == "String":
        return sign == "+"
    wide = {"int": ["int"], "long": ["int", "long"], "double": ["int", "long", "double"]}
    return program.kind(value) in wide.get(kind, [])


def named(node: Node, write: Write, program: Program) -> str | None:
    """What is returned or tested gets a name first: `auto` in C++, the method's own type in Java."""
    if not _in_block(node):
        return None
    if node.type == "return_statement" and (value := _returned(node)) is not None and value.type in _NAMEABLE:
        kind = _result_type(node, program)
        if kind:
            name = program.fresh("result")
            program.fired["returned value named"] += 1
            return f"{kind} {name} = {write(value)};\nreturn {name};"
    if (
        node.type == "if_statement"
        and (test := condition(node))
        and not any(n.type == "assignment_expression" for n in nodes(test))
    ):
        compares = test.type == "binary_expression" and operator(test) in _MIRRORED.keys() | _SPELLED.keys()
        if (compares or _denies(test)) and not program.overloads:
            name = program.fresh("condition")
            program.fired["condition named"] += 1
            clause = node.child_by_field_name("condition")
            assert clause is not None
            after = program.source[clause.end_byte : node.end_byte]
            rest = "".join(write(c) if c.is_named else text(c) + " " for c in node.children if c.start_byte >= clause.end_byte)
            kind = "bool" if program.language == "cpp" else "boolean"
            return f"{kind} {name} = {write(test)};\nif ({name}) {rest}" if after else None
    return None


_NAMEABLE = {"binary_expression", "call_expression", "method_invocation", "conditional_expression", "ternary_expression", "unary_expression",
             "subscript_expression", "array_access", "object_creation_expression", "cast_expression", "parenthesized_expression"}  # fmt: skip


def _denies(test: Node) -> bool:
    return test.type == "unary_expression" and text(test.children[0]) in ("!", "not")


def _result_type(node: Node, program: Program) -> str | None:
    function = function_of(node)
    if function is None:
        return None
    kind = function.child_by_field_name("type")
    if program.language == "java":
        return text(kind) if function.type == "method_declaration" and kind and text(kind) != "void" else None
    if function.type != "function_definition" or kind is None or text(kind) in ("void", "auto"):
        return None
    declarator = function.child_by_field_name("declarator")
    return "auto" if declarator is not None and declarator.type == "function_declarator" else None
