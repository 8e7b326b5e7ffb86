"""Loops of a Python program: for, while, comprehensions."""

import ast
from collections.abc import Sequence

import libcst as cst

from stone.attacks.refactor.python_facts import deferred, integer, mentioned, private, proven_names, tree
from stone.attacks.refactor.python_frame import Blocks, Statement, assignment, body, leading, line, negated, small, statements, text


class Loops(Blocks):
    """`for` becomes `while`, `while` becomes `for`, a loop that appends becomes a comprehension, and the other way round."""

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        made: list[Statement] = []
        for i, (before, now) in enumerate(zip(old, new, strict=True)):
            collected = self._comprehension(old[i - 1], before, now) if i and len(made) else None
            if collected:
                made[-1] = leading(collected, made[-1])
                continue
            found = self._spelled_out(before, now) or self._counted_while(before, now) or self._other_loop(now)
            made += [leading(found[0], now), *found[1:]] if found else [now]
        return made

    def _comprehension(self, start: Statement, old: Statement, new: Statement) -> Statement | None:
        """`x = []` and a loop that only appends to it, as one assignment."""
        match small(start):
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=cst.List(elements=[])):
                pass
            case _:
                return None
        if not isinstance(old, cst.For) or not isinstance(new, cst.For) or new.orelse or new.asynchronous or _tries(self.function):
            return None
        loops: list[cst.For] = [old]
        tests: list[list[cst.BaseExpression]] = [[]]
        inner = body(old.body)
        while len(inner) == 1 and isinstance(inner[0], cst.If | cst.For) and inner[0].orelse is None:
            if isinstance(inner[0], cst.If):
                tests[-1].append(inner[0].test)
            elif inner[0].asynchronous:
                return None
            else:
                loops.append(inner[0])
                tests.append([])
            inner = body(inner[0].body)
        if len(inner) != 1 or "#" in text(old.body):
            return None
        match small(inner[0]):
            case cst.Expr(
                value=cst.Call(func=cst.Attribute(value=cst.Name(value=called), attr=cst.Name(value="append")), args=[arg])
            ):
                if called != name or arg.keyword or arg.star:
                    return None
            case _:
                return None
        targets = [t for loop in loops for t in _plain_targets(loop.target)]
        parts = [tree(part) for part in (arg.value, *(loop.iter for loop in loops), *(t for ts in tests for t in ts))]
        if not _apart(loops) or name in targets or any({name, "super"} & mentioned(p) or deferred(p, self.facts) for p in parts):
            return None
        if name in _of_nested_scopes(self.function) | self.facts.rebound or not all(
            private(t, self.function, old) for t in targets
        ):
            return None
        self.facts.fired["append loop to comprehension"] += 1
        clause = None
        for loop, ifs in reversed(list(zip(loops, tests, strict=True))):
            clause = cst.CompFor(loop.target, _tight(loop.iter), [cst.CompIf(_tight(test)) for test in ifs], clause)
        assert clause is not None
        return assignment(name, cst.ListComp(arg.value, clause))

    def _spelled_out(self, old: Statement, new: Statement) -> list[Statement] | None:
        """A list comprehension that is returned or assigned, as a loop."""
        was, now = small(old), small(new)
        if not isinstance(was, cst.Return | cst.Assign) or not isinstance(now, cst.Return | cst.Assign):
            return None
        comp, source = now.value, was.value
        if not isinstance(comp, cst.ListComp) or not isinstance(source, cst.ListComp):
            return None
        clauses = [comp.for_in]
        while clauses[-1].inner_for_in:
            clauses.append(clauses[-1].inner_for_in)
        targets = [t for clause in clauses for t in _plain_targets(clause.target)]
        if not all(_plain_targets(c.target) for c in clauses) or any(c.asynchronous for c in clauses) or "\n" in text(source):
            return None
        if deferred(tree(source), self.facts) or len(set(targets)) < len(targets):
            return None
        if any(t in mentioned(tree(clauses[0].iter)) or not private(t, self.function, source) for t in targets):
            return None
        name = self.facts.fresh("items")
        call = cst.Call(cst.Attribute(cst.Name(name), cst.Name("append")), [cst.Arg(comp.elt)])
        inner: Statement = line(cst.Expr(call))
        for clause in reversed(clauses):
            for test in reversed(clause.ifs):
                inner = cst.If(test.test, cst.IndentedBlock([inner]))
            inner = cst.For(clause.target, clause.iter, cst.IndentedBlock([inner]))
        self.facts.fired["comprehension to append loop"] += 1
        return [assignment(name, cst.List([])), inner, line(now.with_changes(value=cst.Name(name)))]

    def _counted_while(self, old: Statement, new: Statement) -> list[Statement] | None:
        """`for i in range(...)` as a count, where nothing can tell: i belongs to the loop, its bounds are ints, no `continue`."""
        if not isinstance(old, cst.For) or not isinstance(new, cst.For) or new.asynchronous or not isinstance(new.target, cst.Name):
            return None
        name, call = new.target.value, tree(new.iter)
        match call:
            case ast.Call(func=ast.Name(id="range"), keywords=[]) if "range" in self.facts.unshadowed and 1 <= len(call.args) <= 3:
                pass
            case _:
                return None
        arguments = [ast.unparse(a) for a in call.args]
        start, stop, step = ("0", *arguments, "1")[:3] if len(arguments) == 1 else (*arguments, "1")[:3]
        known = proven_names(self.function, self.facts, integer)
        if not all(integer(a, known, self.facts) for a in call.args) or not step.lstrip("-").isdigit() or int(step) == 0:
            return None
        if (
            deferred(tree(old), self.facts)
            or _continues(old.body)
            or _rebinds(old.body, name)
            or not private(name, self.function, old)
        ):
            return None
        made = statements(f"{name} = {start}\n")
        if not stop.lstrip("-").isdigit():
            bound = self.facts.fresh("stop")
            made += statements(f"{bound} = {stop}\n")
            stop = bound
        down = step.startswith("-")
        count = statements(f"{name} {'-' if down else '+'}= {step.lstrip('-')}\n")
        test = cst.parse_expression(f"{name} {'>' if down else '<'} {stop}")
        self.facts.fired["for to counting while"] += 1
        return [*made, cst.While(test, _with(new.body, [*body(new.body), *count]), new.orelse)]

    def _other_loop(self, new: Statement) -> list[Statement] | None:
        """Any `for` over its iterator; any `while` as a `for` without end that breaks."""
        if isinstance(new, cst.For) and not new.asynchronous and {"iter", "next", "object"} <= self.facts.unshadowed:
            iterator, item, end = (self.facts.fresh(stem) for stem in ("iterator", "item", "end"))
            made = [*_iterator(iterator, new.iter), *statements(f"{end} = object()\n")]
            take = line(cst.Assign([cst.AssignTarget(new.target)], cst.Name(item)))
            test = cst.parse_expression(f"({item} := next({iterator}, {end})) is not {end}")
            self.facts.fired["for to while over iterator"] += 1
            return [*made, cst.While(test, _with(new.body, [take, *body(new.body)]), new.orelse)]
        if isinstance(new, cst.While) and new.orelse is None and {"iter", "int"} <= self.facts.unshadowed:
            stop: list[Statement] = []
            if text(new.test) != "True":
                stop = [cst.If(negated(new.test, self.facts), cst.IndentedBlock([line(cst.Break())]))]
            self.facts.fired["while to for"] += 1
            endless = cst.parse_expression("iter(int, 1)")
            return [cst.For(cst.Name(self.facts.fresh("step")), endless, _with(new.body, [*stop, *body(new.body)]))]
        return None


def _apart(loops: Sequence[cst.For]) -> bool:
    """Do nested loops bind plain names, each its own, that no iterator reads before they are bound?"""
    unbound = [set(_plain_targets(loop.target)) for loop in loops]
    sizes = [len(_plain_targets(loop.target)) for loop in loops]
    reads = [mentioned(tree(loop.iter)) for loop in loops]
    later = [set().union(*unbound[i:]) & read for i, read in enumerate(reads)]
    return all(sizes) and sum(sizes) == len(set().union(*unbound)) and not any(later)


def _iterator(name: str, source: cst.BaseExpression) -> list[Statement]:
    bare = source.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()]) if _needs_parentheses(source) else source
    return [assignment(name, cst.Call(cst.Name("iter"), [cst.Arg(bare)]))]


def _needs_parentheses(source: cst.BaseExpression) -> bool:
    return isinstance(source, cst.Tuple | cst.GeneratorExp) and not source.lpar


def _tight(expression: cst.BaseExpression) -> cst.BaseExpression:
    """As a clause of a comprehension, where a tuple, a conditional expression and a lambda need parentheses."""
    if isinstance(expression, cst.Tuple | cst.IfExp | cst.Lambda) and not expression.lpar:
        return expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])
    return expression


def _with(block: cst.BaseSuite, inner: Sequence[Statement]) -> cst.IndentedBlock:
    return block.with_changes(body=list(inner))  # type: ignore[return-value]


def _plain_targets(target: cst.BaseExpression) -> list[str]:
    """The names that a target binds; none if it binds anything else."""
    node = tree(target)
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Tuple | ast.List) and all(isinstance(e, ast.Name) for e in node.elts):
        return [e.id for e in node.elts if isinstance(e, ast.Name)]
    return []


def _rebinds(block: cst.BaseSuite, name: str) -> bool:
    return any(
        (isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load))
        or (isinstance(n, ast.Import | ast.ImportFrom | ast.With | ast.Try | ast.Match))
        for n in ast.walk(tree(*body(block)))
    )


def _continues(block: cst.CSTNode) -> bool:
    """Is there a `continue` of this loop (not of a loop inside)?"""
    if isinstance(block, cst.For | cst.While):
        return block.orelse is not None and _continues(block.orelse)
    return isinstance(block, cst.Continue) or any(_continues(child) for child in block.children)


def _tries(function: cst.FunctionDef) -> bool:
    return any(isinstance(n, ast.Try | ast.TryStar | ast.With) for n in ast.walk(tree(function)))


def _of_nested_scopes(function: cst.FunctionDef) -> set[str]:
    whole = tree(function).body[0]  # type: ignore[attr-defined]
    scopes = (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.GeneratorExp)
    return {name for n in ast.walk(whole) if n is not whole and isinstance(n, scopes) for name in mentioned(n)}
