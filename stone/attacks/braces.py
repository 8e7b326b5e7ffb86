"""Attacks on C++ and Java programs, by tree-sitter."""

from collections.abc import Iterator

from tree_sitter import Node

from stone.attacks.names import mapping
from stone.solutions import parser

_COMMENTS = {"comment", "line_comment", "block_comment"}
# What lies between a declaration and the name that it declares.
_DECLARATORS = {"init_declarator", "reference_declarator", "pointer_declarator", "array_declarator", "variable_declarator",
                "structured_binding_declarator"}  # fmt: skip


def _nodes(node: Node) -> Iterator[Node]:
    yield node
    for child in node.children:
        yield from _nodes(child)


def _edited(code: bytes, edits: list[tuple[int, int, bytes]]) -> str:
    for start, end, text in sorted(edits, reverse=True):
        code = code[:start] + text + code[end:]
    return code.decode(errors="replace")


def strip(code: str, language: str) -> str:
    """Without comments; lines that held nothing else go too."""
    source = code.encode()
    found = [n for n in _nodes(parser(language).parse(source).root_node) if n.type in _COMMENTS]
    text = _edited(source, [(n.start_byte, n.end_byte, b" ") for n in found])
    return "\n".join(line.rstrip() for line in text.split("\n") if line.strip()) + "\n"


def squeeze(code: str, language: str) -> str:
    """The least white space between tokens; preprocessor lines stay lines."""
    source, last = code.encode(), ""
    parts: list[str] = []
    for leaf in _leaves(parser(language).parse(source).root_node):
        text = source[leaf.start_byte : leaf.end_byte].decode(errors="replace").strip()
        if not text:
            continue
        if leaf.type.startswith("preproc"):
            parts.append(("" if not parts or parts[-1].endswith("\n") else "\n") + text + "\n")
            last = ""
            continue
        if last and _would_merge(last[-1], text[0]):
            parts.append(" ")
        parts.append(text)
        last = text
    return "".join(parts) + "\n"


def _would_merge(before: str, after: str) -> bool:
    def wordy(c: str) -> bool:
        return c.isalnum() or c in "_\"'"

    return (wordy(before) and wordy(after)) or (before in "+-*/%&|<>=!:.^" and after in "+-*/%&|<>=!:.^")


def _leaves(node: Node) -> Iterator[Node]:
    whole = node.type.startswith("preproc") or "string" in node.type or "char" in node.type or node.type in _COMMENTS
    if whole or not node.children:
        yield node
    else:
        for child in node.children:
            yield from _leaves(child)


def rename(code: str, language: str, entry_point: str, pattern: str) -> str:
    """With new names for parameters and local variables. A name that is also a field, a function, a type or called somewhere is left."""
    source = code.encode()
    root = parser(language).parse(source).root_node
    nodes = list(_nodes(root))
    if root.has_error or any(n.type in ("preproc_def", "preproc_function_def") for n in nodes):
        return code
    declared = dict.fromkeys(_text(name) for n in nodes for name in _declared(n))
    kept = {entry_point} | {_text(n) for n in nodes if n.type in ("field_identifier", "type_identifier") or _keeps(n)}
    uses = [n for n in nodes if n.type == "identifier" and not _keeps(n)]
    new = mapping([n for n in declared if n not in kept], {_text(n) for n in nodes if not n.children}, pattern)
    return _edited(source, [(n.start_byte, n.end_byte, new[_text(n)].encode()) for n in uses if _text(n) in new])


def _text(node: Node) -> str:
    return (node.text or b"").decode(errors="replace")


def _declared(node: Node) -> list[Node]:
    """Names of variables that a node declares inside a function."""
    if node.type in ("parameter_declaration", "optional_parameter_declaration", "for_range_loop", "local_variable_declaration") or (
        node.type == "declaration" and _local(node)
    ):
        return [name for d in node.children_by_field_name("declarator") for name in _declarator(d)]
    if node.type in ("formal_parameter", "catch_formal_parameter", "enhanced_for_statement", "resource"):
        return [n for n in node.children_by_field_name("name") if n.type == "identifier"]
    if node.type == "lambda_expression":
        given = node.child_by_field_name("parameters")
        return [n for n in ([given, *given.children] if given else []) if n.type == "identifier"]
    return []


def _declarator(node: Node) -> list[Node]:
    if node.type == "identifier":
        return [node]
    if node.type not in _DECLARATORS:
        return []  # a function, or a form that is better left alone
    inner = [*node.children_by_field_name("declarator"), *node.children_by_field_name("name")] or [
        c for c in node.named_children if c.type == "identifier" or c.type in _DECLARATORS
    ]
    if node.type == "structured_binding_declarator":
        return [name for c in inner for name in _declarator(c)]
    return _declarator(inner[0]) if inner else []


def _local(node: Node) -> bool:
    above = node.parent
    while above is not None:
        if above.type in ("compound_statement", "for_statement", "lambda_expression"):
            return True
        above = above.parent
    return False


def _keeps(node: Node) -> bool:
    """Is an identifier here the name of a function, a field, a type, or part of a qualified name?"""
    above = node.parent
    if node.type != "identifier" or above is None:
        return False
    if above.type in ("function_declarator", "qualified_identifier", "method_declaration", "class_declaration", "constructor_declaration",
                      "method_reference", "scoped_identifier", "labeled_statement", "enum_constant", "enumerator", "template_function",
                      "marker_annotation", "annotation", "break_statement", "continue_statement", "interface_declaration",
                      "record_declaration", "package_declaration", "import_declaration"):  # fmt: skip
        return True
    field = {"method_invocation": "name", "field_access": "field", "call_expression": "function"}.get(above.type)
    if field and node in above.children_by_field_name(field):
        return True
    return above.type == "variable_declarator" and above.parent is not None and above.parent.type == "field_declaration"
