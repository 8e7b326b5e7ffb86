"""Documents of the corpus: a prompt in the benchmark's format and a right solution, each a pure function of (language, seed, index)."""

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from stone.mini.synthesis import render, style
from stone.mini.synthesis.tasks import TASKS, Task


@dataclass(frozen=True)
class Document:
    slug: str
    language: str
    prompt: str
    solution: str


def documents(language: str, n: int, seed: int = 0) -> Iterator[Document]:
    """n documents in "python", "cpp" or "java"; document i depends only on (language, seed, i)."""
    slugs = list(TASKS)
    for i in range(n):
        rng = Random(f"{seed}/{language}/{i}")
        yield document(TASKS[slugs[i % len(slugs)]], language, rng)


def document(task: Task, language: str, rng: Random) -> Document:
    """One document of a task."""
    native = task.native.get(language, ())
    if native and rng.random() < 0.25:
        body, names = _native_body(task, rng.choice(native), language, rng)
    else:
        body, names = _styled_body(task, language, rng)
    entry = rng.choice(task.names) if rng.random() < 0.6 else task.slug
    prompt = _prompt(task, language, style.camel_case(entry) if language == "java" else entry, names, rng)
    closing = {"python": "", "cpp": "}\n", "java": "    }\n}\n"}[language]
    return Document(task.slug, language, prompt, body + closing)


def _canonical(body: str, parameters: list[str]) -> set[str]:
    return {name for name in re.findall(r"\b[a-z]\w*\b", re.sub(r'"[^"]*"', "", body)) if name in style._NAMES} - set(parameters)


def _native_body(task: Task, body: str, language: str, rng: Random) -> tuple[str, dict[str, str]]:
    names = style.name_map(_canonical(body, list(task.parameters)), list(task.parameters), rng, language == "java")
    lines = _rename_text(body, names).split("\n")
    if rng.random() < 0.8:
        lines.insert(0, "# " + style.comment(rng.choice(["start", "return"]), rng).value.value)
    return "".join(f"    {line}\n" for line in lines), names


def _rename_text(text: str, names: dict[str, str]) -> str:
    return re.sub(r"(?<!\.)\b[A-Za-z_]\w*", lambda m: names.get(m.group(), m.group()), text)


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]):
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def _styled_body(task: Task, language: str, rng: Random) -> tuple[str, dict[str, str]]:
    tree = copy.deepcopy(_parse(rng.choice(task.bodies)))
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    free = [name for name in ("i", "tmp") if name not in used | set(task.parameters)]
    body = style.Restyle(rng, list(free)).visit(tree).body
    names = style.name_map({n for n in used if n in style._NAMES} | set(free), list(task.parameters), rng, language == "java")
    body = [_Rename(names).visit(node) for node in style.commented(body, rng)]
    if rng.random() < 0.5:
        body.insert(0, style.comment("start", rng))
    if language == "python":
        return "\n".join(render.python(body)) + "\n", names
    types = {names[name]: kind for name, kind in task.parameters.items()}
    declared = {names[n]: task.returns for n in ("out", "tmp", "best") if n in names}
    depth = 1 if language == "cpp" else 2
    return "\n".join(render.Braces(language, types, declared).block(body, depth)) + "\n", names


_PARSED: dict[str, ast.Module] = {}


def _parse(body: str) -> ast.Module:
    if body not in _PARSED:
        _PARSED[body] = ast.parse(body)
    return _PARSED[body]


# -- prompts --------------------------------------------------------------------------------------------------------------------
def _prompt(task: Task, language: str, entry: str, names: dict[str, str], rng: Random) -> str:
    text = _rename_text(style.expand(rng.choice(task.docs), rng), {n: names[n] for n in task.parameters})
    text = text[:1].upper() + text[1:].replace("  ", " ")
    example = _example(task, language, entry, rng) if rng.random() < 0.8 else []
    return {"python": _python_prompt, "cpp": _cpp_prompt, "java": _java_prompt}[language](task, entry, names, text, example)


def _python_prompt(task: Task, entry: str, names: dict[str, str], text: str, example: list[str]) -> str:
    kinds = {n: "str" if k == render.CHAR else k for n, k in task.parameters.items()}
    signature = ", ".join(f"{names[n]}: {k}" for n, k in kinds.items())
    head = "from typing import List\n\n\n" if "List" in signature + task.returns else ""
    lines = "".join(f"    {line}\n" for line in example)
    return f'{head}def {entry}({signature}) -> {task.returns}:\n    """{text}\n{lines}    """\n'


def _cpp_prompt(task: Task, entry: str, names: dict[str, str], text: str, example: list[str]) -> str:
    signature = ", ".join(f"{render.CPP[k]} {names[n]}" for n, k in task.parameters.items())
    comment = "\n".join([text, *example])
    head = "#include <vector>\n#include <string>\n#include <algorithm>\nusing namespace std;\n"
    return f"/*\n{comment}\n*/\n{head}{render.CPP[task.returns]} {entry}({signature}){{\n"


def _java_prompt(task: Task, entry: str, names: dict[str, str], text: str, example: list[str]) -> str:
    signature = ", ".join(f"{render.JAVA[k]} {names[n]}" for n, k in task.parameters.items())
    comment = "\n".join(f"    {line}" for line in [text, *example])
    head = "import java.util.*;\n\nclass Solution {\n    /**\n"
    return f"{head}{comment}\n     */\n    public {render.JAVA[task.returns]} {entry}({signature}) {{\n"


_WORDS = "apple sun Tree code rain Moon stone sky ab Hello zig river Cat kiwi oak lamp".split()


def arguments(task: Task, rng: Random) -> list:
    """Small arguments of the task's types, also used to test the corpus."""

    def one(name: str, kind: str):
        if name == "ys":
            return None
        if kind == render.INTS:
            return [rng.randint(-9 if name == "nums" else 0, 12) for _ in range(rng.randint(2, 5))]
        if kind == render.STRS:
            return rng.sample(_WORDS, rng.randint(2, 4))
        if kind == render.STR:
            return " ".join(rng.sample(_WORDS, rng.randint(1, 2))) + rng.choice(["", "", "7", "42"])
        if kind == render.CHAR:
            return rng.choice("aeonkSt")
        return rng.randint(1, 6)

    values = {name: one(name, kind) for name, kind in task.parameters.items()}
    if "ys" in values:
        values["ys"] = [rng.randint(0, 9) for _ in values["xs"]]
    if task.slug == "sum_between":
        values["b"] = values["a"] + rng.randint(0, 6)
    if task.slug in ("digit_sum", "reverse_number", "is_prime", "count_divisors"):
        values["n"] = rng.randint(1, 150)
    if task.slug in ("sum_multiples", "collatz_steps"):
        values["n"] = rng.randint(3, 25)
    return list(values.values())


def expected(task: Task, values: list):
    """The right output, by the task's own first body."""
    source = f"def f({', '.join(task.parameters)}):\n" + "".join(f"    {line}\n" for line in task.bodies[0].split("\n"))
    scope: dict = {}
    exec(source, scope)  # the project's own text, never a model's
    return scope["f"](*copy.deepcopy(values))


def literal(value, kind: str, language: str) -> str:
    """A value as the language's examples write it."""
    if language == "python":
        return repr(value)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f"'{value}'" if kind == render.CHAR else f'"{value}"'
    if isinstance(value, list):
        inner = ", ".join(literal(v, "", language) for v in value)
        return f"{{{inner}}}" if language == "cpp" else f"Arrays.asList({inner})"
    return str(value)


def _example(task: Task, language: str, entry: str, rng: Random) -> list[str]:
    values = arguments(task, rng)
    call = ", ".join(literal(v, k, language) for v, k in zip(values, task.parameters.values(), strict=True))
    result = expected(task, values)
    shown = literal(result, task.returns, language) if not isinstance(result, list) or language == "python" else str(result)
    return [f">>> {entry}({call})", shown]
