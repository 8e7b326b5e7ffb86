"""Layout of C++ and Java programs: braces on lines of their own, four spaces a level, one space around operators."""

from tree_sitter import Node

from stone.attacks.refactor.braces_frame import BLOCKS, COMMENTS, Program, text

_BODIES = BLOCKS | {
    "class_body",
    "field_declaration_list",
    "switch_block",
    "constructor_body",
    "interface_body",
    "declaration_list",
}
_OPERATIONS = {"binary_expression", "assignment_expression", "init_declarator", "variable_declarator", "conditional_expression",
               "ternary_expression"}  # fmt: skip
_UNTOUCHED = {"enum_body", "preproc_if", "preproc_ifdef", "text_block", "raw_string_literal"}


def laid_out(program: Program) -> str:
    """The program printed anew. One with a preprocessor branch, a raw string or an enum is only printed as it is."""
    out: list[str] = []
    level = 0
    previous: Node | None = None
    if any(kind in _UNTOUCHED for kind in _kinds(program.root)):
        return program.code

    def newline() -> None:
        if out and not out[-1].endswith("\n"):
            out.append("\n")

    for leaf in _leaves(program.root):
        above = leaf.parent
        opens = leaf.type == "{" and above is not None and above.type in _BODIES
        closes = leaf.type == "}" and above is not None and above.type in _BODIES
        gap = program.source[previous.end_byte : leaf.start_byte] if previous else b""
        level -= closes
        if leaf.type in COMMENTS and gap.count(b"\n") == 0 and out:
            if out[-1] == "\n":
                out.pop()
            out.append("  ")
        elif opens or closes or leaf.type.startswith("preproc") or _starts_line(leaf, previous) or leaf.type in COMMENTS:
            newline()
        elif (
            out
            and not out[-1].endswith("\n")
            and (gap or _spaced(leaf) or (previous and (_spaced(previous) or previous.type == ",")))
        ):
            out.append(" ")
        out.append(("    " * level if not out or out[-1].endswith("\n") else "") + text(leaf).rstrip())
        level += opens
        if (
            opens
            or leaf.type in COMMENTS
            or leaf.type.startswith("preproc")
            or (closes and not _goes_on(leaf))
            or (leaf.type == ";" and not _in_loop_head(leaf))
        ):
            out.append("\n")
        previous = leaf
    return "".join(out).rstrip() + "\n"


def _kinds(node: Node) -> set[str]:
    return {node.type}.union(*(_kinds(c) for c in node.children))


def _leaves(node: Node) -> list[Node]:
    whole = node.type.startswith("preproc") or "string" in node.type or "char" in node.type or node.type in COMMENTS
    if whole or not node.children:
        return [node] if text(node).strip() else []
    return [leaf for child in node.children for leaf in _leaves(child)]


def _spaced(leaf: Node) -> bool:
    above = leaf.parent
    return above is not None and not leaf.is_named and above.type in _OPERATIONS and leaf.type not in "()[]{},"


def _in_loop_head(leaf: Node) -> bool:
    """Is a `;` part of the head of a for statement, be it as the end of its declaration?"""
    above = leaf.parent
    if above is not None and above.type == "for_statement":
        return True
    return (
        above is not None
        and above.parent is not None
        and above.parent.type == "for_statement"
        and (above in (above.parent.child_by_field_name("initializer"), above.parent.child_by_field_name("init")))
    )


def _goes_on(closing: Node) -> bool:
    """Does something other than a statement follow a closing brace: `;`, `)`, `,`, `.`?"""
    block = closing.parent
    return block is not None and block.parent is not None and block.parent.type in ("lambda_expression", "struct_specifier", "class_specifier",
                                                                                    "object_creation_expression")  # fmt: skip


def _starts_line(leaf: Node, previous: Node | None) -> bool:
    return leaf.type == "else" and previous is not None and previous.type == "}"
