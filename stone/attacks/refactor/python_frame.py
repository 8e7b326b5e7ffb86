"""The frame of the Python rewrites: passes over blocks of statements, and how conditions are turned round."""

from collections.abc import Sequence

import libcst as cst

from stone.attacks.refactor.python_facts import Facts

Statement = cst.BaseStatement
_ATOMS = (cst.Name, cst.Attribute, cst.Call, cst.Subscript, cst.BaseNumber, cst.SimpleString, cst.FormattedString, cst.List, cst.Dict,
          cst.Set, cst.ListComp, cst.SetComp, cst.DictComp)  # fmt: skip


class Blocks(cst.CSTTransformer):
    """Rewrites every block inside a function by `block`, inner blocks first."""

    def __init__(self, facts: Facts):
        super().__init__()
        self.facts = facts
        self.functions: list[cst.FunctionDef | None] = [None]
        self.skips: dict[int, str] = {}  # id of a body -> the statement that ends a pass through it

    @property
    def function(self) -> cst.FunctionDef:
        """The function around the block, as it was before this pass."""
        assert self.functions[-1] is not None
        return self.functions[-1]

    def block(self, old: Sequence[Statement], new: Sequence[Statement], skip: str | None) -> list[Statement]:
        """The new block. old : its statements before the pass; new : one for one, inner blocks rewritten; skip : the statement that goes
        on after the block if it is a loop's ("continue") or a function's ("return")."""
        raise NotImplementedError

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self.functions.append(node)
        self.skips[id(node.body)] = "return"

    def leave_FunctionDef(self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef) -> cst.FunctionDef:
        self.functions.pop()
        return updated_node

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self.functions.append(None)

    def leave_ClassDef(self, original_node: cst.ClassDef, updated_node: cst.ClassDef) -> cst.ClassDef:
        self.functions.pop()
        return updated_node

    def visit_For(self, node: cst.For) -> None:
        self.skips[id(node.body)] = "continue"

    def visit_While(self, node: cst.While) -> None:
        self.skips[id(node.body)] = "continue"

    def leave_IndentedBlock(self, original_node: cst.IndentedBlock, updated_node: cst.IndentedBlock) -> cst.IndentedBlock:
        if self.functions[-1] is None:
            return updated_node
        old, new = list(original_node.body), list(updated_node.body)
        return updated_node.with_changes(body=self.block(old, new, self.skips.get(id(original_node))))


def statements(text: str) -> list[Statement]:
    return list(cst.parse_module(text).body)  # type: ignore[arg-type]


def line(small: cst.BaseSmallStatement) -> cst.SimpleStatementLine:
    return cst.SimpleStatementLine([small])


def assignment(name: str, value: cst.BaseExpression) -> cst.SimpleStatementLine:
    return line(cst.Assign([cst.AssignTarget(cst.Name(name))], value))


def small(statement: cst.CSTNode) -> cst.BaseSmallStatement | None:
    """The one small statement of a line, if it holds one."""
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        return statement.body[0]
    return None


def body(block: cst.BaseSuite) -> list[Statement]:
    return list(block.body)  # type: ignore[arg-type]


def leading(first: Statement, model: Statement) -> Statement:
    """A statement with the comments and empty lines that stand before another."""
    return first.with_changes(leading_lines=model.leading_lines)  # type: ignore[attr-defined]


def text(node: cst.CSTNode) -> str:
    return cst.Module([]).code_for_node(node)


def enclosed(expression: cst.BaseExpression) -> cst.BaseExpression:
    """In parentheses, unless it needs none anywhere."""
    if isinstance(expression, _ATOMS) or expression.lpar:
        return expression
    return expression.with_changes(lpar=[cst.LeftParen()], rpar=[cst.RightParen()])


def negated(test: cst.BaseExpression, facts: Facts) -> cst.BaseExpression:
    """A condition that is true when `test` is not. Only its truth is kept, not its value. `a < b` becomes `not a < b`: NaN and sets."""
    match test:
        case cst.UnaryOperation(operator=cst.Not()):
            inner = test.expression
            return inner if inner.lpar else inner.with_changes(lpar=test.lpar, rpar=test.rpar)
        case cst.Comparison(comparisons=[target]):
            opposite = _opposite(target.operator, facts)
            if opposite:
                return test.with_changes(comparisons=[target.with_changes(operator=opposite)])
        case cst.BooleanOperation():
            other: cst.BaseBooleanOp = cst.Or() if isinstance(test.operator, cst.And) else cst.And()
            other = other.with_changes(
                whitespace_before=test.operator.whitespace_before, whitespace_after=test.operator.whitespace_after
            )
            left, right = (_operand(negated(side, facts)) for side in (test.left, test.right))
            return test.with_changes(left=left, operator=other, right=right)
    if isinstance(test, cst.Comparison | cst.UnaryOperation | cst.BinaryOperation):
        moved = test.with_changes(lpar=[], rpar=[])
        return cst.UnaryOperation(cst.Not(), moved, lpar=test.lpar, rpar=test.rpar)
    return cst.UnaryOperation(cst.Not(), enclosed(test))


def _operand(expression: cst.BaseExpression) -> cst.BaseExpression:
    if isinstance(expression, cst.BooleanOperation | cst.IfExp | cst.Lambda | cst.NamedExpr):
        return enclosed(expression)
    return expression


def _opposite(operator: cst.BaseCompOp, facts: Facts) -> cst.BaseCompOp | None:
    match operator:
        case cst.In():
            return cst.NotIn()
        case cst.NotIn():
            return cst.In()
        case cst.Is():
            return cst.IsNot()
        case cst.IsNot():
            return cst.Is()
        case cst.Equal() if facts.plain:
            return cst.NotEqual()
        case cst.NotEqual() if facts.plain:
            return cst.Equal()
    return None


def ends(block: cst.BaseSuite) -> bool:
    """Does a block never reach its end: return, raise, continue or break on every way?"""
    return bool(block.body) and leaves(block.body[-1])


def leaves(statement: cst.CSTNode) -> bool:
    if isinstance(statement, cst.If):
        other = statement.orelse
        return ends(statement.body) and other is not None and (leaves(other) if isinstance(other, cst.If) else ends(other.body))
    return isinstance(small(statement), cst.Return | cst.Raise | cst.Continue | cst.Break)
