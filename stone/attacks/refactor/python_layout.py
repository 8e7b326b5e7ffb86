"""Layout of a Python program: one statement a line, spaces, parentheses, quotes."""

import libcst as cst

from stone.attacks.refactor.python_facts import Facts
from stone.attacks.refactor.python_frame import enclosed, text

_SPACE = cst.SimpleWhitespace(" ")
_NONE = cst.SimpleWhitespace("")


class Lines(cst.CSTTransformer):
    """One statement a line, four spaces a level, one space after keywords: what the other passes build on."""

    def __init__(self, facts: Facts):
        super().__init__()
        self.facts = facts

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False  # `f"{a+b=}"` prints its own text

    def leave_SimpleStatementSuite(
        self, original_node: cst.SimpleStatementSuite, updated_node: cst.SimpleStatementSuite
    ) -> cst.BaseSuite:
        self.facts.fired["statement on a line of its own"] += 1
        parts = [cst.SimpleStatementLine([part.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]) for part in updated_node.body]
        last = parts[-1].with_changes(trailing_whitespace=updated_node.trailing_whitespace)
        return cst.IndentedBlock([*parts[:-1], last])

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        if len(updated_node.body) == 1:
            return updated_node.with_changes(body=[updated_node.body[0].with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
        self.facts.fired["statement on a line of its own"] += 1
        parts = [cst.SimpleStatementLine([part.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)]) for part in updated_node.body]
        parts[0] = parts[0].with_changes(leading_lines=updated_node.leading_lines)
        parts[-1] = parts[-1].with_changes(trailing_whitespace=updated_node.trailing_whitespace)
        return cst.FlattenSentinel(parts)

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:
        return updated_node.with_changes(indent=None)

    def leave_Module(self, original_node: cst.Module, updated_node: cst.Module) -> cst.Module:
        return updated_node.with_changes(default_indent="    ")

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:
        return updated_node.with_changes(whitespace_after_return=_SPACE) if updated_node.value else updated_node

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        return updated_node.with_changes(whitespace_before_test=_SPACE, whitespace_after_test=_NONE)

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> cst.While:
        return updated_node.with_changes(whitespace_after_while=_SPACE, whitespace_before_colon=_NONE)

    def leave_For(self, original_node: cst.For, updated_node: cst.For) -> cst.For:
        return updated_node.with_changes(
            whitespace_after_for=_SPACE, whitespace_before_in=_SPACE, whitespace_after_in=_SPACE, whitespace_before_colon=_NONE
        )

    def leave_UnaryOperation(self, original_node: cst.UnaryOperation, updated_node: cst.UnaryOperation) -> cst.UnaryOperation:
        if isinstance(updated_node.operator, cst.Not) and updated_node.operator.whitespace_after.empty:
            return updated_node.with_changes(operator=cst.Not(_SPACE))
        return updated_node

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def, override]
        """Binary operators, comparisons and assignments get one space on either side, as far as they stand on one line."""
        node = super().on_leave(original_node, updated_node)
        operator = cst.BaseBinaryOp | cst.BaseBooleanOp | cst.BaseCompOp | cst.BaseAugOp
        if isinstance(node, operator):
            sides = {side: _SPACE for side in ("whitespace_before", "whitespace_after") if _simple(getattr(node, side))}
            return node.with_changes(**sides)
        if isinstance(node, cst.AssignTarget):
            return node.with_changes(whitespace_before_equal=_SPACE, whitespace_after_equal=_SPACE)
        if isinstance(node, cst.IfExp):
            names = ("whitespace_before_if", "whitespace_after_if", "whitespace_before_else", "whitespace_after_else")
            return node.with_changes(**{side: _SPACE for side in names if _simple(getattr(node, side))})
        return node


def _simple(space: cst.BaseParenthesizableWhitespace) -> bool:
    return isinstance(space, cst.SimpleWhitespace) and "\n" not in space.value


class Style(cst.CSTTransformer):
    """Other quotes, parentheses around compared operands of `and` and `or`, none around what is returned, tested or assigned."""

    def __init__(self, facts: Facts):
        super().__init__()
        self.facts = facts

    def leave_SimpleString(self, original_node: cst.SimpleString, updated_node: cst.SimpleString) -> cst.SimpleString:
        quote, inner = updated_node.quote, updated_node.raw_value
        if any(c in inner for c in "'\"\\") or not inner:
            return updated_node
        self.facts.fired["other quotes"] += 1
        other = quote.translate(str.maketrans("'\"", "\"'"))
        return updated_node.with_changes(value=updated_node.prefix + other + inner + other)

    def visit_FormattedString(self, node: cst.FormattedString) -> bool:
        return False

    def leave_BooleanOperation(
        self, original_node: cst.BooleanOperation, updated_node: cst.BooleanOperation
    ) -> cst.BooleanOperation:
        changes = {}
        for side in ("left", "right"):
            operand = getattr(updated_node, side)
            if isinstance(operand, cst.Comparison) and not operand.lpar:
                self.facts.fired["parentheses"] += 1
                changes[side] = enclosed(operand)
        return updated_node.with_changes(**changes)

    def leave_Return(self, original_node: cst.Return, updated_node: cst.Return) -> cst.Return:
        return updated_node.with_changes(value=self._bare(updated_node.value)) if updated_node.value else updated_node

    def leave_If(self, original_node: cst.If, updated_node: cst.If) -> cst.If:
        return updated_node.with_changes(test=self._bare(updated_node.test))

    def leave_While(self, original_node: cst.While, updated_node: cst.While) -> cst.While:
        return updated_node.with_changes(test=self._bare(updated_node.test))

    def leave_Assign(self, original_node: cst.Assign, updated_node: cst.Assign) -> cst.Assign:
        return updated_node.with_changes(value=self._bare(updated_node.value))

    def _bare(self, expression: cst.BaseExpression) -> cst.BaseExpression:
        keeps = cst.Tuple | cst.GeneratorExp | cst.NamedExpr | cst.Yield
        if not expression.lpar or isinstance(expression, keeps) or "\n" in text(expression):
            return expression
        self.facts.fired["parentheses"] += 1
        return expression.with_changes(lpar=[], rpar=[])
