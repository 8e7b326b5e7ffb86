"""One body, three languages: renders a typed subset of Python's syntax tree as Python, C++ or Java source.

The subset: assignments, `for x in xs`, `for i in range(...)`, while, if / elif / else, return, break, continue, list and string
building, and the calls named in `_CALLS`. A bare string statement is a comment.
"""

import ast

INT, BOOL, STR, CHAR, INTS, STRS = "int", "bool", "str", "char", "List[int]", "List[str]"
CPP = {INT: "int", BOOL: "bool", STR: "string", CHAR: "char", INTS: "vector<int>", STRS: "vector<string>"}
JAVA = {INT: "int", BOOL: "boolean", STR: "String", CHAR: "char", INTS: "List<Integer>", STRS: "List<String>"}
ELEMENT = {INTS: INT, STRS: STR, STR: CHAR}

_BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Mod: "%", ast.FloorDiv: "/"}
_COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
# Calls of the subset: name -> (result type, C++ form, Java form); {0}, {1} are the rendered arguments.
_CALLS = {
    "abs": (INT, "abs({0})", "Math.abs({0})"),
    "min": (INT, "min({0}, {1})", "Math.min({0}, {1})"),
    "max": (INT, "max({0}, {1})", "Math.max({0}, {1})"),
    "isdigit": (BOOL, "isdigit({0})", "Character.isDigit({0})"),
    "isupper": (BOOL, "isupper({0})", "Character.isUpperCase({0})"),
    "upper": (CHAR, "(char)toupper({0})", "Character.toUpperCase({0})"),
    "lower": (CHAR, "(char)tolower({0})", "Character.toLowerCase({0})"),
}


class Types(dict):
    """Types of the variables seen so far; `of` infers an expression's type."""

    def of(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=bool()) | ast.Compare() | ast.BoolOp() | ast.UnaryOp(op=ast.Not()):
                return BOOL
            case ast.Constant(value=str()):
                return STR
            case ast.Name(id=name):
                return self[name]
            case ast.Subscript(value=value, slice=ast.Slice()):
                return self.of(value)
            case ast.Subscript(value=value):
                return ELEMENT[self.of(value)]
            case ast.BinOp(op=ast.Add(), left=left):
                return STR if self.of(left) in (STR, CHAR) else self.of(left)
            case ast.IfExp(body=body):
                return self.of(body)
            case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)) if name in _CALLS:
                return _CALLS[name][0]
        return INT


class Braces:
    """C++ and Java: expressions and statements with braces and declared types."""

    def __init__(self, language: str, types: dict[str, str], locals_: dict[str, str]):
        self.cpp = language == "cpp"
        self.names = CPP if self.cpp else JAVA
        self.types, self.declared = Types(types), locals_

    # -- expressions ------------------------------------------------------------------------------------------------------------
    def expr(self, node: ast.expr, outer: int = 0) -> str:
        match node:
            case ast.Constant(value=bool(value)):
                return str(value).lower()
            case ast.Constant(value=str(value)):
                return '"' + value + '"'
            case ast.Constant(value=value):
                return str(value)
            case ast.Name(id=name):
                return name
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return "-" + self.expr(operand, 9)
            case ast.UnaryOp(operand=operand):
                return "!" + self.expr(operand, 9)
            case ast.BoolOp(op=op, values=values):
                sign, level = ("&&", 2) if isinstance(op, ast.And) else ("||", 1)
                return self._wrap(f" {sign} ".join(self.expr(v, level + 1) for v in values), level, outer)
            case ast.BinOp(left=left, op=op, right=right):
                level = 5 if isinstance(op, ast.Add | ast.Sub) else 6
                return self._wrap(f"{self.expr(left, level)} {_BINARY[type(op)]} {self.expr(right, level + 1)}", level, outer)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._wrap(f"{self.expr(test, 2)} ? {self.expr(body, 1)} : {self.expr(orelse, 1)}", 0, outer)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._wrap(self._compare(left, op, right), 4, outer)
            case ast.Subscript(value=value, slice=index):
                return self._item(value, index)
            case ast.Call():
                return self._call(node)
        raise TypeError(f"{ast.unparse(node)} is outside the corpus' subset of Python")

    @staticmethod
    def _wrap(text: str, level: int, outer: int) -> str:
        return f"({text})" if level < outer else text

    def _compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            found = isinstance(op, ast.In)
            a, b = self.expr(left), self.expr(right)
            if self.types.of(right) == STR or isinstance(right, ast.Constant):
                return (
                    f"{self._text(right)}.find({a}) {'!=' if found else '=='} string::npos"
                    if self.cpp
                    else (f"{b}.indexOf({a}) {'>= 0' if found else '< 0'}")
                )
            if self.cpp:
                return f"find({b}.begin(), {b}.end(), {a}) {'!=' if found else '=='} {b}.end()"
            return f"{'' if found else '!'}{b}.contains({a})"
        if not self.cpp and self.types.of(left) in (STR, INTS, STRS):
            return f"{'' if isinstance(op, ast.Eq) else '!'}{self.expr(left, 9)}.equals({self.expr(right)})"
        boxed = not self.cpp and isinstance(left, ast.Subscript) and isinstance(right, ast.Subscript) and self.types.of(left) == INT
        if boxed and isinstance(op, ast.Eq | ast.NotEq):
            return f"{'' if isinstance(op, ast.Eq) else '!'}{self.expr(left, 9)}.equals({self.expr(right)})"
        return f"{self._char(left, right)} {_COMPARE[type(op)]} {self._char(right, left)}"

    def _char(self, node: ast.expr, other: ast.expr) -> str:
        """A one-letter literal beside a char is a char."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and self.types.of(other) == CHAR:
            return f"'{node.value}'"
        return self.expr(node, 5)

    def _text(self, node: ast.expr) -> str:
        return f"string({self.expr(node)})" if isinstance(node, ast.Constant) else self.expr(node)

    def _item(self, value: ast.expr, index: ast.expr) -> str:
        inner = self.expr(value, 9)
        length = self._length(value)
        from_end = isinstance(index, ast.UnaryOp)
        index_text = f"{length} - {self.expr(index.operand)}" if from_end else self.expr(index)
        if self.cpp:
            return f"{inner}[{index_text}]"
        return f"{inner}.charAt({index_text})" if self.types.of(value) == STR else f"{inner}.get({index_text})"

    def _length(self, value: ast.expr) -> str:
        inner = self.expr(value, 9)
        if self.cpp:
            return f"(int){inner}.size()"
        return f"{inner}.length()" if self.types.of(value) == STR else f"{inner}.size()"

    def _call(self, node: ast.Call) -> str:
        if isinstance(node.func, ast.Attribute):
            name, arguments = node.func.attr, [node.func.value]
        else:
            name, arguments = node.func.id, node.args
        if name == "len":
            return self._length(arguments[0])
        return _CALLS[name][1 if self.cpp else 2].format(*(self.expr(a) for a in arguments))

    # -- statements -------------------------------------------------------------------------------------------------------------
    def block(self, body: list[ast.stmt], depth: int) -> list[str]:
        return [line for statement in body for line in self.statement(statement, depth)]

    def statement(self, node: ast.stmt, depth: int) -> list[str]:
        pad = "    " * depth
        match node:
            case ast.Expr(value=ast.Constant(value=str(comment))):
                return [f"{pad}// {comment}"]
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=target, attr="append"), args=[item])):
                return [f"{pad}{self.expr(target)}.{'push_back' if self.cpp else 'add'}({self.expr(item)});"]
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
                return self._swap(names, values, pad)
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return [pad + self._assign(name, value) + ";"]
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                one = isinstance(value, ast.Constant) and value.value == 1 and isinstance(op, ast.Add | ast.Sub)
                sign = _BINARY[type(op)]
                return [f"{pad}{name}{sign}{sign};" if one else f"{pad}{name} {sign}= {self.expr(value)};"]
            case ast.Return(value=value):
                empty = "{}" if self.cpp else "new ArrayList<>()"
                return [f"{pad}return {empty if isinstance(value, ast.List) else self.expr(value)};"]
            case ast.Break():
                return [f"{pad}break;"]
            case ast.Continue():
                return [f"{pad}continue;"]
            case ast.For():
                return [f"{pad}for ({self._head(node)}) {{", *self.block(node.body, depth + 1), f"{pad}}}"]
            case ast.While(test=test, body=body):
                return [f"{pad}while ({self.expr(test)}) {{", *self.block(body, depth + 1), f"{pad}}}"]
            case ast.If():
                return self._if(node, depth)
        raise TypeError(f"{ast.unparse(node)} is outside the corpus' subset of Python")

    def _if(self, node: ast.If, depth: int) -> list[str]:
        pad = "    " * depth
        lines = [f"{pad}if ({self.expr(node.test)}) {{", *self.block(node.body, depth + 1)]
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            rest = self._if(node.orelse[0], depth)
            return [*lines, f"{pad}}} else {rest[0].strip()}", *rest[1:]]
        if node.orelse:
            lines += [f"{pad}}} else {{", *self.block(node.orelse, depth + 1)]
        return [*lines, f"{pad}}}"]

    def _head(self, node: ast.For) -> str:
        name = node.target.id
        if isinstance(node.iter, ast.Call):
            self.types[name] = INT
            bounds = node.iter.args
            first = "0" if len(bounds) == 1 else self.expr(bounds[0])
            last = self.expr(bounds[min(1, len(bounds) - 1)], 5)
            if len(bounds) < 3:
                return f"int {name} = {first}; {name} < {last}; {name}++"
            if isinstance(bounds[2], ast.UnaryOp):
                return f"int {name} = {first}; {name} > {last}; {name}--"
            return f"int {name} = {first}; {name} < {last}; {name} += {self.expr(bounds[2])}"
        kind = self.types.of(node.iter)
        self.types[name] = ELEMENT[kind]
        source = self.expr(node.iter) + (".toCharArray()" if kind == STR and not self.cpp else "")
        return f"{self.names[ELEMENT[kind]]} {name} : {source}"

    def _assign(self, name: str, value: ast.expr) -> str:
        known = name in self.types
        kind = self.types.get(name) or self.declared.get(name) or self.types.of(value)
        self.types[name] = kind
        head = name if known else f"{self.names[kind]} {name}"
        if isinstance(value, ast.List):
            return head if self.cpp else f"{head} = new ArrayList<>()"
        text = self.expr(value)
        return head if text == '""' and self.cpp and not known else f"{head} = {text}"

    def _swap(self, names: list[ast.expr], values: list[ast.expr], pad: str) -> list[str]:
        """a, b = b, f(a, b): through a temporary."""
        a, b = (n.id for n in names)
        kept = f"next{b[:1].upper()}{b[1:]}" if not self.cpp else f"next_{b}"
        return [f"{pad}int {kept} = {self.expr(values[1])};", f"{pad}{a} = {self.expr(values[0])};", f"{pad}{b} = {kept};"]


def python(body: list[ast.stmt], depth: int = 1) -> list[str]:
    """Python source lines; comments come from bare strings."""
    lines = []
    for node in body:
        pad = "    " * depth
        match node:
            case ast.Expr(value=ast.Constant(value=str(comment))):
                lines.append(f"{pad}# {comment}")
            case ast.For(target=target, iter=source, body=inner):
                lines += [f"{pad}for {ast.unparse(target)} in {ast.unparse(source)}:", *python(inner, depth + 1)]
            case ast.While(test=test, body=inner):
                lines += [f"{pad}while {ast.unparse(test)}:", *python(inner, depth + 1)]
            case ast.If():
                lines += _python_if(node, depth, "if")
            case _:
                lines.append(pad + ast.unparse(node))
    return lines


def _python_if(node: ast.If, depth: int, word: str) -> list[str]:
    pad = "    " * depth
    lines = [f"{pad}{word} {ast.unparse(node.test)}:", *python(node.body, depth + 1)]
    if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        return lines + _python_if(node.orelse[0], depth, "elif")
    return lines + ([f"{pad}else:", *python(node.orelse, depth + 1)] if node.orelse else [])
