"""What can be seen about a Python program: names, scopes, types. Every answer errs on the side of caution."""

import ast
import builtins
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain, count

import libcst as cst

_TO_NUMBERS = {"len", "ord", "int"}
_TO_IMMUTABLES = _TO_NUMBERS | {"str", "float", "chr", "bool", "hash", "bin", "hex", "repr"}
_CONSUMERS = {"sum", "any", "all", "max", "min", "sorted", "list", "set", "tuple", "dict"}
_INTEGER_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
Names = set[str]


@dataclass
class Facts:
    """A program's names and habits. taken : all its names, which grow with fresh ones; fired : the rewrites done.

    unshadowed : builtins that keep their meaning; plain : no classes and only the standard library, so operators mean what they mean on
    builtin types; rebound : names that a call or a walrus may bind anew.
    """

    unshadowed: frozenset[str]
    plain: bool
    rebound: frozenset[str]
    taken: Names
    fired: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, code: str) -> "Facts":
        nodes = list(ast.walk(ast.parse(code)))
        imported = {a.name for n in nodes if isinstance(n, ast.Import) for a in n.names}
        imported |= {n.module or "." for n in nodes if isinstance(n, ast.ImportFrom)}
        known = all(name.split(".")[0] in sys.stdlib_module_names for name in imported)
        return cls(
            unshadowed=frozenset(set(dir(builtins)) - bound_names(nodes)) if known else frozenset(),
            plain=known and not any(isinstance(n, ast.ClassDef) for n in nodes),
            rebound=frozenset(
                name for n in nodes if isinstance(n, ast.Global | ast.Nonlocal | ast.NamedExpr) for name in _rebound(n)
            ),
            taken=set(re.findall(r"[^\W\d]\w*", code)) | set(dir(builtins)),
        )

    def fresh(self, stem: str) -> str:
        """A name that the program uses nowhere."""
        name = next(n for n in chain([stem], (f"{stem}_{i}" for i in count(2))) if n not in self.taken)
        self.taken.add(name)
        return name


def _rebound(node: ast.Global | ast.Nonlocal | ast.NamedExpr) -> list[str]:
    return [node.target.id] if isinstance(node, ast.NamedExpr) else node.names


def tree(*nodes: cst.CSTNode) -> ast.AST:
    """The syntax tree of statements, of a block, or of one expression."""
    if len(nodes) == 1 and isinstance(nodes[0], cst.BaseSuite):
        nodes = tuple(nodes[0].body)
    if len(nodes) == 1 and isinstance(nodes[0], cst.BaseExpression):
        return ast.parse(f"({cst.Module([]).code_for_node(nodes[0])})", mode="eval").body
    return ast.parse(cst.Module(body=list(nodes)).code)  # type: ignore[arg-type]


def bound_names(nodes: Iterable[ast.AST]) -> Names:
    """Names that any of the nodes (of a walk) binds, deletes or declares."""
    bound: Names = set()
    for n in nodes:
        match n:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                bound.add(n.id)
            case ast.arg():
                bound.add(n.arg)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound.add(n.name)
            case ast.alias():
                bound.add((n.asname or n.name).split(".")[0])
            case ast.Global() | ast.Nonlocal():
                bound.update(n.names)
            case ast.ExceptHandler(name=str()) | ast.MatchAs(name=str()) | ast.MatchStar(name=str()):
                bound.add(n.name or "")
            case ast.MatchMapping(rest=str()):
                bound.add(n.rest or "")
    return bound


def mentioned(node: ast.AST) -> Names:
    """Names that a node reads or binds."""
    nodes = list(ast.walk(node))
    return {n.id for n in nodes if isinstance(n, ast.Name)} | bound_names(nodes)


def deferred(node: ast.AST, facts: Facts) -> bool:
    """Does a node hold code that may run later than it stands: functions, generators that nobody consumes at once, yield, await?"""
    consumed = {
        id(n.args[0])
        for n in ast.walk(node)
        if isinstance(n, ast.Call) and len(n.args) == 1 and not n.keywords and _consumes(n.func, facts)
    }
    later = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)
    return any(isinstance(n, later) or (isinstance(n, ast.GeneratorExp) and id(n) not in consumed) for n in ast.walk(node))


def _consumes(function: ast.expr, facts: Facts) -> bool:
    if isinstance(function, ast.Attribute):
        return function.attr == "join" and isinstance(function.value, ast.Constant)
    return isinstance(function, ast.Name) and function.id in _CONSUMERS & facts.unshadowed


class _Outside(cst.CSTVisitor):
    """Is a name used outside `part`, other than in loops and comprehensions that bind it themselves?"""

    def __init__(self, name: str, part: Sequence[cst.CSTNode]):
        self.name, self.part, self.used = name, {id(p) for p in part}, False

    def visit_Name(self, node: cst.Name) -> None:
        self.used |= node.value == self.name

    def visit_Attribute(self, node: cst.Attribute) -> bool:
        node.value.visit(self)
        return False

    def visit_Arg(self, node: cst.Arg) -> bool:
        node.value.visit(self)
        return False

    def visit_For(self, node: cst.For) -> bool:
        own = id(node) in self.part
        if own or self._binds(node.target):
            node.iter.visit(self)
            if node.orelse:
                node.orelse.visit(self)
            self.used |= not own and self._holds_part(node.body)
            return False
        return True

    def on_visit(self, node: cst.CSTNode) -> bool:
        if id(node) in self.part and not isinstance(node, cst.For):
            if isinstance(node, cst.ListComp):
                node.for_in.iter.visit(self)
            return False
        if isinstance(node, cst.BaseSimpleComp | cst.DictComp) and self._binds(node.for_in.target):
            node.for_in.iter.visit(self)
            self.used |= self._holds_part(node)
            return False
        return super().on_visit(node)

    def _binds(self, target: cst.CSTNode) -> bool:
        return self.name in mentioned(tree(target))

    def _holds_part(self, node: cst.CSTNode) -> bool:
        return id(node) in self.part or any(self._holds_part(child) for child in node.children)


def private(name: str, function: cst.FunctionDef, *part: cst.CSTNode) -> bool:
    """Can nothing in the function tell what a name is worth outside of the part (nodes of the function) that binds it?"""
    visitor = _Outside(name, part)
    function.visit(visitor)
    return not visitor.used


Proof = Callable[[ast.AST, Names, Facts], bool]


def proven_names(function: cst.FunctionDef, facts: Facts, proof: Proof) -> Names:
    """Local names of a function that always hold what `proof` asks for, once they are bound."""
    bindings = _bindings(tree(function))
    names = set(bindings) - facts.rebound
    while True:  # the greatest fixed point: assume all, drop what has a binding that does not follow
        kept = {name for name in names if all(_follows(b, names, facts, proof) for b in bindings[name])}
        if kept == names:
            return names
        names = kept


def _bindings(function: ast.AST) -> dict[str, list[ast.AST | None]]:
    """For each name what binds it: a value, an augmented assignment, a loop; None for another form. Nested scopes count in, which can only
    make a name unproven."""
    found: dict[str, list[ast.AST | None]] = {}
    understood: set[int] = set()

    def add(target: ast.expr, binding: ast.AST) -> None:
        if isinstance(target, ast.Name):
            found.setdefault(target.id, []).append(binding)
            understood.add(id(target))

    for n in ast.walk(function):
        match n:
            case ast.Assign():
                for target in n.targets:
                    for left, right in _pairs(target, n.value):
                        add(left, right)
            case ast.AugAssign():
                add(n.target, n)
            case ast.For(iter=ast.Call(func=ast.Name(id="range"))):
                add(n.target, n)
            case ast.For(iter=ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]), target=ast.Tuple(elts=[index, _])):
                add(index, n)
    for name in bound_names(n for n in ast.walk(function) if id(n) not in understood):
        found.setdefault(name, []).append(None)
    return found


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        pairs = list(zip(target.elts, value.elts, strict=True))
        return [] if any(isinstance(part, ast.Starred) for pair in pairs for part in pair) else pairs
    return [(target, value)]


def _follows(binding: ast.AST | None, names: Names, facts: Facts, proof: Proof) -> bool:
    match binding:
        case None:
            return False
        case ast.For(iter=ast.Call(func=ast.Name(id=source))):
            return source in facts.unshadowed
        case ast.AugAssign():
            return _augmented(binding, names, facts, proof)
    return proof(binding, names, facts)


def _augmented(n: ast.AugAssign, names: Names, facts: Facts, proof: Proof) -> bool:
    if proof is integer:
        return isinstance(n.op, _INTEGER_OPERATORS) and integer(n.value, names, facts)
    return proof(n.value, names, facts) or _stays_immutable(n.op, facts)


def _stays_immutable(operator: ast.operator, facts: Facts) -> bool:
    """A number or string stays one whatever is added to it, unless it multiplies a list or meets a foreign type."""
    return facts.plain and not isinstance(operator, ast.Mult | ast.MatMult)


def integer(node: ast.AST, names: Names, facts: Facts) -> bool:
    """Is an expression an int, if the names are?"""
    match node:
        case ast.Constant():
            return type(node.value) is int
        case ast.Name():
            return node.id in names
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()):
            return integer(node.operand, names, facts)
        case ast.BinOp() if isinstance(node.op, _INTEGER_OPERATORS):
            return integer(node.left, names, facts) and integer(node.right, names, facts)
        case ast.Call(func=ast.Name()):
            return node.func.id in _TO_NUMBERS & facts.unshadowed  # type: ignore[attr-defined]
    return False


def immutable(node: ast.AST, names: Names, facts: Facts) -> bool:
    """Is an expression a number, a string or None, if the names are?"""
    match node:
        case ast.Constant() | ast.JoinedStr():
            return True
        case ast.Name():
            return node.id in names
        case ast.UnaryOp():
            return isinstance(node.op, ast.Not) or immutable(node.operand, names, facts)
        case ast.BinOp():
            right = _stays_immutable(node.op, facts) or immutable(node.right, names, facts)
            return right and immutable(node.left, names, facts)
        case ast.IfExp():
            return immutable(node.body, names, facts) and immutable(node.orelse, names, facts)
        case ast.Call(func=ast.Name()):
            return node.func.id in _TO_IMMUTABLES & facts.unshadowed  # type: ignore[attr-defined]
    return False
