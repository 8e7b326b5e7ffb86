"""Statements of C++ and Java programs: loops and branches."""

from collections.abc import Sequence

from tree_sitter import Node

from stone.attacks.refactor.braces_frame import (
    BLOCKS,
    COMMENTS,
    LOOPS,
    Program,
    Write,
    condition,
    declares,
    is_body,
    negated,
    nodes,
    statements,
    text,
)  # fmt: skip

_LEAVE = {"return_statement", "break_statement", "continue_statement", "throw_statement"}
_CONTAINERS = (
    "<vector>",
    "<string>",
    "<map>",
    "<set>",
    "<algorithm>",
    "<array>",
    "<iterator>",
    "<list>",
    "<unordered_map>",
    "<bits/stdc++.h>",
)
_ITERABLES = ("List<", "ArrayList<", "Set<", "HashSet<", "TreeSet<", "Collection<", "LinkedList<", "Deque<", "Queue<")


def braces(node: Node, write: Write, program: Program) -> str | None:
    """Braces around a single statement that a loop or a branch controls; `else if` stays."""
    other = node.parent is not None and (
        node.parent.type == "else_clause" or node == node.parent.child_by_field_name("alternative")
    )
    if node.type in BLOCKS or (node.type == "if_statement" and other) or not is_body(node):
        return None
    program.fired["braces around a statement"] += 1
    return "{\n" + program.whole(node, write) + "\n}"


def loops(node: Node, write: Write, program: Program) -> str | None:
    """`for` becomes `while`, `while` becomes `for`, a loop over a container becomes one over its iterator or index."""
    body = node.child_by_field_name("body") if node.type in LOOPS else None
    if (
        body is None
        or body.type not in BLOCKS
        or _loose_comments(node)
        or (node.parent and node.parent.type == "labeled_statement")
    ):
        return None
    if node.type == "while_statement" and (test := condition(node)):
        program.fired["while to for"] += 1
        return f"for (; {write(test)}; ) {write(body)}"
    inner = _lines(statements(body), write)
    inner = "{\n" + inner + "\n}" if declares(statements(body)) else inner
    if node.type == "for_statement":
        return _while(node, body, inner, write, program)
    if node.type == "for_range_loop" and not node.child_by_field_name("initializer"):
        return _by_iterator(node, inner, write, program)
    if node.type == "enhanced_for_statement":
        return _over(node, inner, write, program)
    return None


def _while(node: Node, body: Node, inner: str, write: Write, program: Program) -> str | None:
    start = [*node.children_by_field_name("initializer"), *node.children_by_field_name("init")]
    test = node.child_by_field_name("condition")
    steps = [u for u in node.children_by_field_name("update") if u.is_named]
    if _continues(body) or (test and "decl" in test.type) or (program.language == "java" and not _completes(body)):
        return None
    first = "\n".join(write(s).rstrip(";") + ";" for s in start if s.is_named)
    last = "\n".join(write(s) + ";" for s in steps)
    program.fired["for to while"] += 1
    return f"{{\n{first}\nwhile ({write(test) if test else 'true'}) {{\n{inner}\n{last}\n}}\n}}"


def _by_iterator(node: Node, inner: str, write: Write, program: Program) -> str | None:
    """What the C++ standard says that a range-based `for` means."""
    right = node.child_by_field_name("right")
    if right is None or not any(header in program.code for header in _CONTAINERS):
        return None
    whole, at, last = (program.fresh(stem) for stem in ("range", "position", "last"))
    program.fired["range for to iterator"] += 1
    return (
        f"{{\nauto&& {whole} = {write(right)};\nauto {at} = std::begin({whole});\nauto {last} = std::end({whole});\n"
        f"for (; {at} != {last}; ++{at}) {{\n{_header(node, program)} = *{at};\n{inner}\n}}\n}}"
    )


def _over(node: Node, inner: str, write: Write, program: Program) -> str | None:
    """Java's loop over an array by index, over a collection by iterator, where the type is evident."""
    value = node.child_by_field_name("value")
    if value is None:
        return None
    kind = program.types.get(text(value), "") if value.type == "identifier" else ""
    if value.type == "method_invocation":
        name = text(value.child_by_field_name("name") or value)
        kind = "[]" if name in ("toCharArray", "split") and name not in program.own_functions else ""
    if kind.endswith("[]"):
        array, index = program.fresh("array"), program.fresh("index")
        program.fired["for over array to index"] += 1
        return (
            f"{{\nvar {array} = {write(value)};\nfor (int {index} = 0; {index} < {array}.length; {index}++) {{\n"
            f"{_header(node, program)} = {array}[{index}];\n{inner}\n}}\n}}"
        )
    if kind.startswith(_ITERABLES):
        iterator = program.fresh("iterator")
        program.fired["for over collection to iterator"] += 1
        return (
            f"for (var {iterator} = {write(value)}.iterator(); {iterator}.hasNext(); ) {{\n"
            f"{_header(node, program)} = {iterator}.next();\n{inner}\n}}"
        )
    return None


def _header(node: Node, program: Program) -> str:
    """The declaration in the head of a loop over a container."""
    opening = next(c for c in node.children if c.type == "(")
    colon = next(c for c in node.children if c.type == ":")
    return program.source[opening.end_byte : colon.start_byte].decode().strip()


def branches(node: Node, write: Write, program: Program) -> str | None:
    """Guards become chains, chains become guards, branches are swapped, the last branch of a pass is left early."""
    if node.type not in BLOCKS or node.parent is None or node.parent.type in ("switch_statement", "switch_expression"):
        return None
    above, skip = node.parent, ""
    if above.type in LOOPS:
        skip = "continue"
    elif above.type in ("function_definition", "method_declaration") and text(above.child_by_field_name("type") or above) == "void":
        skip = "return"
    return "{\n" + "\n".join(_branched(statements(node), skip, write, program)) + "\n}"


def _branched(items: Sequence[Node], skip: str, write: Write, program: Program) -> list[str]:
    made: list[str] = []
    for i, first in enumerate(items):
        rest = items[i + 1 :]
        parts = _parts(first)
        if parts is None:
            made.append(write(first))
            continue
        test, then, other = parts
        if other is None and _ends(then) and rest and rest[-1].type not in COMMENTS:
            return made + _guarded(first, list(rest), skip, write, program)
        if other is None and not _ends(then) and not rest and skip and not declares(statements(then)):
            program.fired["early " + skip] += 1
            made += [f"if ({negated(test, write, program)}) {{\n{skip};\n}}", _lines(statements(then), write)]
        elif other is not None:
            made.append(_chain(first, write, program))
        else:
            made.append(write(first))
    return made


def _guarded(first: Node, rest: list[Node], skip: str, write: Write, program: Program) -> list[str]:
    """`if (a) { return x; }` and what follows."""
    guards = [first]
    while rest and (parts := _parts(rest[0])) and parts[2] is None and _ends(parts[1]):
        guards.append(rest.pop(0))
    if len(guards) > 1:
        following = _branched(rest, skip, write, program)
        program.fired["guards to else-if chain"] += 1
        chain = " else ".join(_if(guard, write) for guard in guards)
        return [chain + (" else {\n" + "\n".join(following) + "\n}" if following else "")]
    parts = _parts(first)
    assert parts is not None
    test, then, _ = parts
    inner = [s for s in statements(then) if s.type not in COMMENTS]
    goes_on = bool(skip) and len(inner) == 1 and text(inner[0]) == skip + ";"
    if not goes_on and (not _leaves(rest[-1]) or declares(inner)):
        following = _branched(rest, skip, write, program)
        program.fired["guard to else"] += 1
        return [_if(first, write) + " else {\n" + "\n".join(following) + "\n}"]
    following = _branched(rest, skip, write, program)
    program.fired["guard turned round"] += 1
    turned = f"if ({negated(test, write, program)}) {{\n" + "\n".join(following) + "\n}"
    return [turned] if goes_on else [turned, _lines(statements(then), write)]


def _chain(first: Node, write: Write, program: Program) -> str:
    links = [first]
    while (parts := _parts(links[-1])) and parts[2] is not None and parts[2].type == "if_statement":
        if _parts(parts[2]) is None:
            return write(first)
        links.append(parts[2])
    last = parts[2] if parts else None
    blocks = [p[1] for p in map(_parts, links) if p]
    if all(map(_ends, blocks if last else blocks[:-1])) and not (last and declares(statements(last))):
        program.fired["else removed"] += 1
        return "\n".join([*(_if(link, write) for link in links), *([_lines(statements(last), write)] if last else [])])
    if last is None:
        return write(first)
    program.fired["branches swapped"] += 1
    test, then, _ = _parts(links[-1])  # type: ignore[misc]
    swapped = f"if ({negated(test, write, program)}) {write(last)} else {write(then)}"
    return " else ".join([*(_if(link, write) for link in links[:-1]), swapped])


def _if(node: Node, write: Write) -> str:
    test, then, _ = _parts(node)  # type: ignore[misc]
    return f"if ({write(test)}) {write(then)}"


def _parts(node: Node) -> tuple[Node, Node, Node | None] | None:
    """Test, block and what follows `else`; None for another statement, or one with comments between its parts."""
    if node.type != "if_statement" or _loose_comments(node) or any(text(c) == "constexpr" for c in node.children):
        return None
    test, then, other = condition(node), node.child_by_field_name("consequence"), node.child_by_field_name("alternative")
    if other is not None and other.type == "else_clause":
        if _loose_comments(other):
            return None
        other = other.named_children[-1]
    if test is None or then is None or then.type not in BLOCKS or (other and other.type not in BLOCKS | {"if_statement"}):
        return None
    return test, then, other


def _lines(items: Sequence[Node], write: Write) -> str:
    return "\n".join(write(item) for item in items)


def _loose_comments(node: Node) -> bool:
    return any(c.type in COMMENTS for c in node.children)


def _ends(block: Node) -> bool:
    inner = [s for s in statements(block) if s.type not in COMMENTS]
    return bool(inner) and _leaves(inner[-1])


def _leaves(node: Node) -> bool:
    """Does control never go on to the next statement?"""
    if node.type == "if_statement" and (parts := _parts(node)):
        _, then, other = parts
        return other is not None and _ends(then) and (_leaves(other) if other.type == "if_statement" else _ends(other))
    return node.type in _LEAVE


def _continues(node: Node) -> bool:
    """Is there a `continue` of this loop (not of a loop inside)?"""
    return node.type == "continue_statement" or any(_continues(c) for c in node.children if c.type not in LOOPS)


def _completes(block: Node) -> bool:
    """May the end of a Java block be reached, as the compiler sees it? False in doubt."""
    inner = [s for s in statements(block) if s.type not in COMMENTS]
    if not inner:
        return True
    last = inner[-1]
    if last.type == "if_statement" and (parts := _parts(last)):
        _, then, other = parts
        return other is None or _completes(then) or (other.type in BLOCKS and _completes(other))
    if last.type in ("while_statement", "for_statement"):
        test = last.child_by_field_name("condition")
        return test is not None and any(n.type == "identifier" for n in nodes(test))
    return last.type in ("expression_statement", "local_variable_declaration", "enhanced_for_statement")
