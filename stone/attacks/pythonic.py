"""Attacks on Python programs, by syntax tree."""

import ast
import builtins
import re

from stone.attacks.names import mapping

_LOOKS_UP_NAMES = {"locals", "globals", "vars", "eval", "exec", "dir", "__import__"}


def _parsed(code: str) -> ast.Module | None:
    try:
        return ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return None


def strip(code: str, language: str = "python") -> str:
    """Without comments and docstrings."""
    tree = _parsed(code)
    if tree is None:
        return code
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and ast.get_docstring(node, clean=False) is not None
        ):
            node.body = node.body[1:] or ([] if isinstance(node, ast.Module) else [ast.Pass()])
    return ast.unparse(tree) + "\n"


def squeeze(code: str, language: str = "python") -> str:
    """One space a level, no blank lines. For `strip`'s output, whose strings hold no line ends."""
    if _parsed(code) is None or '"""' in code or "'''" in code:
        return code
    lines = [re.sub(r"^ +", lambda spaces: " " * (len(spaces.group()) // 4), line) for line in code.split("\n") if line.strip()]
    return "\n".join(lines) + "\n"


def rename(code: str, language: str, entry_point: str, pattern: str) -> str:
    """With new names for parameters, local variables and functions other than the entry point; formatting is normalised.

    A name is left as it is if it is also an attribute of a class body, a builtin, imported, a keyword argument of some call, or (as a
    parameter's keyword) needed from outside.
    """
    tree = _parsed(code)
    if tree is None or any(isinstance(n, ast.Name) and n.id in _LOOKS_UP_NAMES for n in ast.walk(tree)):
        return code
    bound, kept = _names(tree)
    kept |= {entry_point} | set(dir(builtins))
    everything = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | set(bound) | kept
    new = mapping([name for name in bound if name not in kept and not name.startswith("__")], everything, pattern)
    return ast.unparse(ast.fix_missing_locations(_Renamer(new).visit(tree))) + "\n"


def _names(tree: ast.Module) -> tuple[list[str], set[str]]:
    """Names that functions bind, in order, with those of module-level functions; and names that must stay."""
    bound: dict[str, None] = {}
    kept: set[str] = set()

    def visit(node: ast.AST, inside: bool) -> None:
        match node:
            case ast.ClassDef():
                kept.add(node.name)
                kept.update(
                    n.id
                    for s in node.body
                    for n in ast.walk(s)
                    if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and not _within_function(s)
                )
                kept.update(s.name for s in node.body if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                bound.setdefault(node.name)
                inside = True
            case ast.Lambda():
                inside = True
            case ast.arg():
                bound.setdefault(node.arg)
            case ast.Name(ctx=ast.Store()) | ast.Name(ctx=ast.Del()):
                (bound.setdefault if inside else kept.add)(node.id)
            case ast.ExceptHandler(name=str()):
                (bound.setdefault if inside else kept.add)(node.name or "")
            case ast.alias():
                kept.add((node.asname or node.name).split(".")[0])
            case ast.keyword(arg=str()):
                kept.add(node.arg or "")
            case ast.MatchAs() | ast.MatchStar() | ast.MatchMapping():
                kept.update(v for v in (getattr(node, "name", None), getattr(node, "rest", None)) if v)
        for child in ast.iter_child_nodes(node):
            visit(child, inside)

    visit(tree, False)
    return list(bound), kept


def _within_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


class _Renamer(ast.NodeTransformer):
    def __init__(self, new: dict[str, str]):
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.new.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.new.get(node.arg, node.arg)
        self.generic_visit(node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        node.name = self.new.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = self.new.get(node.name or "", node.name)
        self.generic_visit(node)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.new.get(name, name) for name in node.names]
        return node

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.Nonlocal:
        node.names = [self.new.get(name, name) for name in node.names]
        return node
