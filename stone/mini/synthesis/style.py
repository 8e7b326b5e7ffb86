"""Random but semantics-preserving variety: the choice grammar, names, statement forms, comments."""

import ast
import re
from random import Random

_CHOICE = re.compile(r"\{([^{}]*)\}")


def expand(pattern: str, rng: Random) -> str:
    """Expand a choice grammar: `{a|b|}` takes one alternative, innermost first."""
    while match := _CHOICE.search(pattern):
        pattern = pattern[: match.start()] + rng.choice(match.group(1).split("|")) + pattern[match.end() :]
    return pattern


_ADJECTIVE = (
    "{running|current|partial|final|overall|whole|full|temp|local|new|my|main|inner|simple|good|base|open|known|next|plain|small}"
)
_NAMES = {  # canonical name -> pattern of the names it may get
    "acc": "{total|acc|result|value|res|amount|tally|score|answer|output|ans|ret|{A}_{total|value|sum|result|amount|count|score|number|tally|answer}}",
    "count": "{count|counter|cnt|total|hits|found|matches|n_found|num|tally|{A}_{count|hits|total|number|matches|tally|score}}",
    "out": "{result|out|res|answer|output|values|items|collected|kept|ret|{A}_{list|values|items|result|output|numbers|entries|series}}",
    "text": "{result|out|text|res|answer|output|built|line|joined|{A}_{text|string|result|output|line|word|letters}}",
    "x": "{x|num|value|item|element|number|v|elem|entry|current|each|val|{A}_{value|item|number|entry}}",
    "c": "{c|ch|char_now|letter|symbol|sign|current|each|one|{A}_{letter|symbol|sign|mark}}",
    "w": "{w|word|item|entry|current|piece|part|token|each|{A}_{word|item|piece|part}}",
    "i": "{i|idx|index|pos|p|k_idx|at|step|here|spot|{A}_{index|position|place}}",
    "j": "{j|jdx|other|second|inner_idx|q|ahead|there|{A}_{step|offset|cursor}}",
    "best": "{best|top|champion|winner|result|answer|record|best_so_far|pick|{A}_{best|top|value|pick|winner|choice}}",
    "low": "{low|smallest|minimum|least|bottom|lo|lower|floor_value|{A}_{low|minimum|bottom}}",
    "high": "{high|biggest|maximum|greatest|hi|upper|peak|ceiling|{A}_{high|maximum|peak}}",
    "flag": "{flag|inside|active|seen_word|started|in_word|open_word|busy|{A}_{flag|state|mode}}",
    "seen": "{seen|known|visited|used|past|unique|{A}_{seen|unique|known}}",
    "rest": "{rest|left|remaining|m|work|current|copy|todo|{A}_{rest|number|copy|part}}",
    "size": "{size|length|n_items|total_len|width|limit|{A}_{size|length|width}}",
    "prev": "{prev|a|first|older|before|last_one|one|{A}_{old|first|past}}",
    "cur": "{cur|b|second|newer|after|latest|two|{A}_{new|second|late}}",
    "tmp": "{tmp|temp|result|value|outcome|answer|ret|ok|{A}_{result|value|answer|outcome}}",
}
_PARAMETERS = {
    "nums": "{nums|numbers|values|items|xs|data|arr|lst|elements|sequence|readings|heights|scores|prices|series|entries|ints|{A}_{numbers|values|items|list|data|scores|prices}}",
    "k": "{k|k|limit|bound|threshold|divisor|step|amount|d|m|{A}_{limit|bound|step}}",
    "target": "{target|wanted|needle|goal|key|t|item|searched}",
    "words": "{words|strings|items|texts|names|tokens|entries|terms|labels|{A}_{words|names|texts|list}}",
    "s": "{s|text|string|st|line|phrase|sentence|message|title|content|{A}_{text|string|line|message}}",
    "c0": "{c|ch|letter|symbol|mark|wanted|target|key}",
    "n": "{n|num|number|value|m|x|limit|n|size_n|{A}_{number|value|limit}}",
    "a": "{a|x|first|left|p|m|start}",
    "b": "{b|y|second|right|q|n|end}",
    "xs": "{xs|left|first|a|one|alpha}",
    "ys": "{ys|right|second|b|two|beta}",
    "base": "{base|b|x|number|value}",
    "exp": "{exp|power_of|e|n|times|degree}",
}
_RESERVED = set("final int char for if and or not in is min max abs len def return while else new string vector List next".split())

_SUBJECT = "{element|item|entry|value|one|member|part}"
_COMMENTS = {
    "start": (
        "{a|one|the|my} {simple|plain|direct|short|basic|clear|naive|classic|quick|small} {loop|solution|approach|version|method|pass|scan}"
        "{| is enough| works here| does the job| will do| is fine}",
        "{solve|do|handle|write|keep|make} {it|this|things|the task} {step by step|in one pass|the simple way|by hand|directly|without tricks}",
        "{note|idea|plan|hint|remark}: {scan|count|walk|build|check|look|work|go} {from left to right|once|slowly|carefully|in order|as asked}",
    ),
    "assign": (
        "{start|begin|open|set out} with {nothing|an empty value|the first value|a neutral value|a clean state|zero|the basics}",
        "{keep|store|hold|track|collect|gather|save|note} the {result|answer|outcome|state|progress|findings} {here|below|for later|in one place}",
        "{initial|first|starting|default|neutral|opening} {value|state|guess|result|point}",
        "{prepare|set up|create|define|reserve|make} {the|a|our} {variable|holder|storage|counter|place|slot}",
    ),
    "loop": (
        "{go|walk|run|step|move|iterate|loop} {through|over|across|along} {every|each|any single} {S}{| one by one| in turn| in order}",
        "{visit|check|handle|process|examine|inspect|consider|take} {each|every|one more} {S}{| once| exactly once| in sequence| now}",
        "{main|central|single|only|working} loop{| of the function| over the data| starts here}",
    ),
    "if": (
        "{only|just|mainly} {these|such|matching|good|relevant|valid} {ones|values|items|cases} {count|matter|qualify|stay|help}",
        "{test|check|see|decide|verify|ask} {whether|if} {the condition|it|the rule|this case} {holds|is met|applies|fits|matters}",
        "{special|interesting|relevant|important|wanted} {case|situation|branch|value}",
    ),
    "return": (
        "{give|hand|send|pass} back {the|our} {final|complete|finished|whole|full} {result|answer|value|outcome}",
        "{done|finished|all done|ready|that is all|complete}{|, return it|, report it|, deliver the result}",
        "{return|report|deliver|output} {what we have|the outcome|what was found|the answer|the result}",
    ),
}


def name_map(canonical: set[str], parameters: list[str], rng: Random, camel: bool) -> dict[str, str]:
    """A distinct concrete name for every canonical name."""
    chosen: dict[str, str] = {}
    for name in [*parameters, *sorted(canonical - set(parameters))]:
        pattern = (_PARAMETERS if name in parameters else _NAMES)[name].replace("{A}", _ADJECTIVE)
        while True:
            picked = expand(pattern, rng)
            if camel:
                picked = camel_case(picked)
            if picked not in chosen.values() and picked not in _RESERVED:
                break
        chosen[name] = picked
    return chosen


def camel_case(name: str) -> str:
    """snake_case to camelCase."""
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


_INVERSE = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt}
_MIRROR = {ast.Eq: ast.Eq, ast.NotEq: ast.NotEq, ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def _negated(test: ast.expr) -> ast.expr:
    if isinstance(test, ast.Compare) and type(test.ops[0]) in _INVERSE:
        return ast.Compare(test.left, [_INVERSE[type(test.ops[0])]()], test.comparators)
    return test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else ast.UnaryOp(ast.Not(), test)


def _name(text: str) -> ast.Name:
    return ast.Name(text, ast.Load())


class Restyle(ast.NodeTransformer):
    """Draws another form for statements of a body in the corpus' subset; the program's meaning stays."""

    def __init__(self, rng: Random, free: list[str]):
        self.rng, self.free = rng, free  # free: canonical names still unused, for new variables

    def _chance(self, p: float) -> bool:
        return self.rng.random() < p

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        if self._chance(0.35):
            return ast.Assign([node.target], ast.BinOp(_name(node.target.id), node.op, node.value), lineno=0)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if type(node.ops[0]) in _MIRROR and self._chance(0.12):
            return ast.Compare(node.comparators[0], [_MIRROR[type(node.ops[0])]()], [node.left])
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt | list[ast.stmt]:
        plain = isinstance(node.value, ast.Name | ast.Constant | ast.List | ast.UnaryOp)
        if not plain and "tmp" in self.free and self._chance(0.5):
            self.free.remove("tmp")
            return [ast.Assign([_name("tmp")], node.value, lineno=0), ast.Return(_name("tmp"))]
        return node

    def visit_For(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        self.generic_visit(node)
        last = node.body[-1]
        if isinstance(last, ast.If) and not last.orelse and not isinstance(last.body[-1], ast.Return) and self._chance(0.3):
            node.body = [*node.body[:-1], ast.If(_negated(last.test), [ast.Continue()], []), *last.body]
            return node if isinstance(node.iter, ast.Call) or "i" not in self.free or self._chance(0.7) else self._indexed(node)
        if isinstance(node.iter, ast.Call) or "i" not in self.free or self._chance(0.55):
            return node
        return self._indexed(node) if self._chance(0.6) else self._while(node)

    def _length(self, source: ast.expr) -> ast.expr:
        return ast.Call(_name("len"), [source], [])

    def _indexed(self, node: ast.For) -> ast.stmt:
        self.free.remove("i")
        item = ast.Assign([node.target], ast.Subscript(node.iter, _name("i"), ast.Load()), lineno=0)
        return ast.For(_name("i"), ast.Call(_name("range"), [self._length(node.iter)], []), [item, *node.body], [], lineno=0)

    def _while(self, node: ast.For) -> ast.stmt | list[ast.stmt]:
        if any(isinstance(n, ast.Continue) for s in node.body for n in ast.walk(s)):
            return node
        self.free.remove("i")
        item = ast.Assign([node.target], ast.Subscript(node.iter, _name("i"), ast.Load()), lineno=0)
        step = self.visit_AugAssign(ast.AugAssign(_name("i"), ast.Add(), ast.Constant(1)))
        test = ast.Compare(_name("i"), [ast.Lt()], [self._length(node.iter)])
        return [ast.Assign([_name("i")], ast.Constant(0), lineno=0), ast.While(test, [item, *node.body, step], [])]


_KIND = {ast.For: "loop", ast.While: "loop", ast.If: "if", ast.Return: "return", ast.Assign: "assign"}
_RATE = {"loop": 0.55, "if": 0.35, "return": 0.5, "assign": 0.4}


def comment(kind: str, rng: Random) -> ast.stmt:
    return ast.Expr(ast.Constant(expand(rng.choice(_COMMENTS[kind]).replace("{S}", _SUBJECT), rng)))


def commented(body: list[ast.stmt], rng: Random) -> list[ast.stmt]:
    """The body with comments drawn for some of its statements."""
    lines = []
    for node in body:
        kind = _KIND.get(type(node))
        if kind and rng.random() < _RATE[kind]:
            lines.append(comment(kind, rng))
        for part in ("body", "orelse"):
            inner = getattr(node, part, None)
            if inner and not (part == "orelse" and isinstance(inner[0], ast.If)):
                setattr(node, part, commented(inner, rng))
        lines.append(node)
    return lines
