"""Branches of a Python program: if and else, guards, early returns, conditional expressions."""

from collections.abc import Sequence

import libcst as cst

from stone.attacks.refactor.python_frame import Blocks, Statement, body, enclosed, ends, leading, leaves, line, negated, small

_SKIPS = {"continue": cst.Continue, "return": cst.Return}


class Conditionals(Blocks):
    """A returned or assigned conditional expression becomes if and else, and the other way round."""

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        made: list[Statement] = []
        for statement in new:
            guard = made[-1] if made else None
            merged = self._merged(guard.body, statement) if isinstance(guard, cst.If) and guard.orelse is None else None
            if merged and isinstance(guard, cst.If) and not statement.leading_lines:  # type: ignore[attr-defined]
                made[-1] = leading(line(self._conditional(guard.test, *merged)), guard)
            else:
                made.append(self._one(statement))
        return made

    def _one(self, statement: Statement) -> Statement:
        if isinstance(statement, cst.If) and isinstance(statement.orelse, cst.Else):
            pair = self._merged(statement.body, *body(statement.orelse.body), assign=True)
            return leading(line(self._conditional(statement.test, *pair)), statement) if pair else statement
        found = small(statement)
        if isinstance(found, cst.Return | cst.Assign) and isinstance(found.value, cst.IfExp):
            if isinstance(found, cst.Assign) and not _one_name(found):
                return statement
            self.facts.fired["conditional expression to if"] += 1
            yes, no = (_block(line(found.with_changes(value=side))) for side in (found.value.body, found.value.orelse))
            return leading(cst.If(found.value.test, yes, cst.Else(no)), statement)
        return statement

    def _merged(
        self, block: cst.BaseSuite, *other: Statement, assign: bool = False
    ) -> tuple[cst.BaseSmallStatement, cst.BaseSmallStatement] | None:
        """Two returns (or assignments to one name), one on either side."""
        if len(block.body) != 1 or len(other) != 1:
            return None
        yes, no = small(block.body[0]), small(other[0])
        match yes, no:
            case cst.Return(value=cst.BaseExpression()), cst.Return(value=cst.BaseExpression()):
                pass
            case cst.Assign(), cst.Assign() if assign and _one_name(yes) and _one_name(yes) == _one_name(no):
                pass
            case _:
                return None
        if "#" in cst.Module([]).code_for_node(block) + cst.Module([]).code_for_node(other[0]):
            return None
        return yes, no

    def _conditional(self, test: cst.BaseExpression, yes: cst.CSTNode, no: cst.CSTNode) -> cst.BaseSmallStatement:
        self.facts.fired["if to conditional expression"] += 1
        value = cst.IfExp(test=_side(test), body=_side(yes.value), orelse=_side(no.value))  # type: ignore[attr-defined]
        return yes.with_changes(value=value)  # type: ignore[return-value]


def _one_name(statement: cst.Assign) -> str | None:
    match statement.targets:
        case [cst.AssignTarget(target=cst.Name(value=name))]:
            return name
    return None


def _side(expression: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(expression, cst.IfExp | cst.Lambda | cst.NamedExpr | cst.Tuple | cst.Yield | cst.Await):
        return enclosed(expression) if not expression.lpar else expression
    return expression


def _block(*inner: Statement) -> cst.IndentedBlock:
    return cst.IndentedBlock(list(inner))


class Branches(Blocks):
    """Guards become chains, chains become guards, branches are swapped, the last branch of a pass is left early."""

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        made: list[Statement] = []
        rest = list(new)
        while rest:
            first = rest.pop(0)
            if not isinstance(first, cst.If):
                made.append(first)
            elif first.orelse is None and ends(first.body) and rest:
                return made + self._guard(first, rest, skip)
            elif first.orelse is None and not ends(first.body) and not rest and skip:
                self.facts.fired["early " + skip] += 1
                quick = cst.If(negated(first.test, self.facts), _block(line(_SKIPS[skip]())))
                made += [leading(quick, first), *body(first.body)]
            elif first.orelse is not None:
                made += self._chain(first)
            else:
                made.append(first)
        return made

    def _guard(self, first: cst.If, rest: list[Statement], skip: str | None) -> list[Statement]:
        """`if a: return ...` and what follows."""
        guards = [first]
        while rest and isinstance(rest[0], cst.If) and rest[0].orelse is None and ends(rest[0].body):
            guards.append(rest.pop(0))  # type: ignore[arg-type]
        following = self.block(rest, rest, skip) if rest else []
        if len(guards) > 1:
            self.facts.fired["guards to elif chain"] += 1
            chain: cst.If | cst.Else | None = cst.Else(_block(*following)) if following else None
            for guard in reversed(guards):
                chain = guard.with_changes(orelse=chain)
            return [chain]  # type: ignore[list-item]
        body_only = small(body(first.body)[0]) if len(first.body.body) == 1 else None
        goes_on = skip and isinstance(body_only, _SKIPS[skip]) and not getattr(body_only, "value", None)
        if not goes_on and not leaves(following[-1]):
            self.facts.fired["guard to else"] += 1
            return [first.with_changes(orelse=cst.Else(_block(*following)))]
        self.facts.fired["guard turned round"] += 1
        turned = first.with_changes(test=negated(first.test, self.facts), body=_block(*following))
        return [turned, *([] if goes_on else body(first.body))]

    def _chain(self, first: cst.If) -> list[Statement]:
        parts: list[cst.If] = [first]
        while isinstance(parts[-1].orelse, cst.If):
            parts.append(parts[-1].orelse)
        last = parts[-1].orelse
        if all(ends(part.body) for part in (parts if last else parts[:-1])):
            self.facts.fired["else removed"] += 1
            return [*(part.with_changes(orelse=None) for part in parts), *(body(last.body) if isinstance(last, cst.Else) else [])]
        if not isinstance(last, cst.Else):
            return [first]
        self.facts.fired["branches swapped"] += 1
        end = parts[-1]
        chain = end.with_changes(
            test=negated(end.test, self.facts),
            body=last.body,
            orelse=last.with_changes(body=end.body),
        )
        for part in reversed(parts[:-1]):
            chain = part.with_changes(orelse=chain)
        return [chain]
