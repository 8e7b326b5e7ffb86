"""Expressions of a Python program: comparisons, sums, names for what is returned or tested, quotes and white space."""

import ast
from collections.abc import Sequence

import libcst as cst

from stone.attacks.refactor.python_facts import Facts, immutable, proven_names, tree
from stone.attacks.refactor.python_frame import Blocks, Statement, assignment, enclosed, leading, line, negated, small, text

_MIRRORED: dict[type, type] = {
    cst.LessThan: cst.GreaterThan, cst.GreaterThan: cst.LessThan, cst.LessThanEqual: cst.GreaterThanEqual,
    cst.GreaterThanEqual: cst.LessThanEqual, cst.Equal: cst.Equal, cst.NotEqual: cst.NotEqual,
}  # fmt: skip
_ARITHMETIC: dict[type, type] = {
    cst.Add: cst.AddAssign, cst.Subtract: cst.SubtractAssign, cst.Multiply: cst.MultiplyAssign, cst.Divide: cst.DivideAssign,
    cst.FloorDivide: cst.FloorDivideAssign, cst.Modulo: cst.ModuloAssign, cst.Power: cst.PowerAssign,
}  # fmt: skip
_PLAIN = {augmented: plain for plain, augmented in _ARITHMETIC.items()}


class Comparisons(cst.CSTTransformer):
    """`a < b` becomes `b > a`, `a < b < c` two comparisons, `x if a else y` turns round."""

    def __init__(self, facts: Facts):
        super().__init__()
        self.facts = facts

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False  # `f"{a<b=}"` prints its own text

    def leave_Comparison(self, original_node: cst.Comparison, updated_node: cst.Comparison) -> cst.BaseExpression:
        targets = updated_node.comparisons
        if len(targets) == 1:
            return self._mirrored(updated_node)
        middle = [t.comparator for t in targets[:-1]]
        if any(not _trivial(m, self.facts) for m in middle) or any("\n" in text(n) for n in (updated_node,)):
            return updated_node
        lefts = [updated_node.left, *middle]
        self.facts.fired["chained comparison split"] += 1
        parts = [self._mirrored(cst.Comparison(left, [target])) for left, target in zip(lefts, targets, strict=True)]
        joined: cst.BaseExpression = parts[0]
        for part in parts[1:]:
            joined = cst.BooleanOperation(joined, cst.And(), part)
        return joined.with_changes(lpar=updated_node.lpar or [cst.LeftParen()], rpar=updated_node.rpar or [cst.RightParen()])

    def _mirrored(self, node: cst.Comparison) -> cst.Comparison:
        target = node.comparisons[0]
        mirrored = _MIRRORED.get(type(target.operator))
        left, right = node.left, target.comparator
        if mirrored is None or not self.facts.plain or not (_trivial(right, self.facts, left) or _trivial(left, self.facts, right)):
            return node
        self.facts.fired["comparison mirrored"] += 1
        operator = mirrored(
            whitespace_before=target.operator.whitespace_before,  # type: ignore[attr-defined]
            whitespace_after=target.operator.whitespace_after,  # type: ignore[attr-defined]
        )
        return node.with_changes(left=right, comparisons=[target.with_changes(operator=operator, comparator=left)])

    def leave_IfExp(self, original_node: cst.IfExp, updated_node: cst.IfExp) -> cst.IfExp:
        self.facts.fired["conditional expression turned round"] += 1
        yes = updated_node.body
        if isinstance(updated_node.orelse, cst.IfExp | cst.Lambda):
            updated_node = updated_node.with_changes(orelse=enclosed(updated_node.orelse))
        return updated_node.with_changes(body=updated_node.orelse, test=negated(updated_node.test, self.facts), orelse=yes)


def _trivial(node: cst.BaseExpression, facts: Facts, beside: cst.BaseExpression | None = None) -> bool:
    """May a node be evaluated at another time: a literal, or a name that nothing beside it can bind anew?"""
    found = tree(node)
    if isinstance(found, ast.UnaryOp):
        found = found.operand
    if isinstance(found, ast.Constant):
        return True
    if not isinstance(found, ast.Name):
        return False
    return found.id not in facts.rebound or (beside is not None and isinstance(tree(beside), ast.Constant | ast.Name))


class Sums(Blocks):
    """`x += y` becomes `x = x + y` and the other way round, where x is a number or a string: a list would be changed in place."""

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        known = proven_names(self.function, self.facts, immutable)
        return [s.with_changes(body=[self._other(found, known)]) if (found := small(s)) else s for s in new]

    def _other(self, found: cst.BaseSmallStatement, known: set[str]) -> cst.BaseSmallStatement:
        match found:
            case cst.AugAssign(target=cst.Name(value=name), operator=operator, value=value) if name in known:
                plain = _PLAIN.get(type(operator))
                if plain and not isinstance(tree(value), ast.Yield | ast.YieldFrom):
                    self.facts.fired["augmented assignment spelled out"] += 1
                    right = (
                        value if isinstance(tree(value), ast.Name | ast.Constant | ast.Call | ast.Subscript) else enclosed(value)
                    )
                    return cst.Assign([cst.AssignTarget(cst.Name(name))], cst.BinaryOperation(cst.Name(name), plain(), right))
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Name(value=name))],
                value=cst.BinaryOperation(left=cst.Name(value=same, lpar=[]), operator=operator, right=value, lpar=[]),
            ) if name == same and name in known:
                augmented = _ARITHMETIC.get(type(operator))
                if augmented:
                    self.facts.fired["augmented assignment"] += 1
                    return cst.AugAssign(cst.Name(name), augmented(), value)
        return found


class Names(Blocks):
    """What is returned or tested gets a name first."""

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        made: list[Statement] = []
        for statement in new:
            found = small(statement)
            if isinstance(found, cst.Return) and found.value and not isinstance(tree(found.value), ast.Name | ast.Constant):
                self.facts.fired["returned value named"] += 1
                name = self.facts.fresh("result")
                made += [leading(assignment(name, found.value), statement), line(cst.Return(cst.Name(name)))]
            elif isinstance(statement, cst.If) and not isinstance(tree(statement.test), ast.Name | ast.Constant):
                self.facts.fired["condition named"] += 1
                name = self.facts.fresh("condition")
                first = leading(assignment(name, enclosed(statement.test)), statement)
                made += [first, statement.with_changes(test=cst.Name(name), leading_lines=[])]
            else:
                made.append(statement)
        return made
