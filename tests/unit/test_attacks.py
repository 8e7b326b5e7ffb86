"""Attacks change what they say and nothing else; whether programs stay right is asked of their tests."""

import ast

import pytest

from stone import Program, load_problems, run_programs
from stone.attacks import ATTACKS, attack

PYTHON = '''import math as m
from typing import List

LIMIT = 3

class Box:
    size = 1
    def __init__(self, size):
        self.size = size
        self.other = size

def helper(values, *, scale=2):
    """Scale."""
    return [scale * v for v in values]

def solve(values: List[int], list_of=None):
    """Docstring."""
    global LIMIT  # a comment
    total = 0
    def inner(step):
        nonlocal total
        total += step
    for index, value in enumerate(helper(values, scale=3)):
        inner(value)
    try:
        total += m.floor(1.5) + Box(size=2).size + LIMIT
    except ValueError as problem:
        print(f"{problem} {total}")
    with open(__file__) as handle:
        pass
    return total if index else (lambda size: size)(total)
'''


def names(code: str) -> set[str]:
    tree = ast.parse(code)
    return {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} | {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}


def test_python_names_change_where_nothing_outside_needs_them():
    renamed = attack("rename", PYTHON, "python", "solve")
    assert names(renamed) & {"total", "value", "index", "step", "handle", "problem", "inner", "helper"} == set()
    assert {"m", "LIMIT", "List", "Box", "size", "scale", "enumerate", "solve"} <= names(renamed) | {"solve"}
    assert "def solve(" in renamed and "self.other" in renamed.replace("value_a", "self") and "scale=3" in renamed
    scopes = [{"__file__": __file__}, {"__file__": __file__}]
    exec(PYTHON, scopes[0]), exec(renamed, scopes[1])
    assert scopes[0]["solve"]([1, 2]) == scopes[1]["solve"]([1, 2]) == 9 + 1 + 2 + 3


def test_python_comments_and_docstrings_go():
    stripped = attack("strip", PYTHON, "python", "solve")
    assert "Docstring" not in stripped and "a comment" not in stripped and "def solve(values" in stripped


@pytest.mark.parametrize("name", ATTACKS)
@pytest.mark.parametrize("code", ["def f(:\n", "def f(x):\n    return eval('x')\n"])
def test_what_is_not_safe_is_left(name, code):
    attacked = attack(name, code, "python", "f")
    assert attacked == code or (name != "rename" and "eval('x')" in attacked and "(x)" in attacked)


def test_cpp_keeps_fields_functions_macros_and_qualified_names():
    code = "#include <vector>\nstruct P { int x; };\nint max(int a) { return a; }\nint f(std::vector<int> v) { // sum\n    int x = 0, max_ = 1; P p{2};\n    for (auto& e : v) x += e; p.x = x; auto [a, b] = std::pair(1, 2);\n    return max(p.x) + std::max(a, b) + max_;\n}\n"
    renamed = attack("rename", code, "cpp", "f")
    assert "p.x" not in renamed and ".x = x" in renamed  # x is a field somewhere, so it stays; p is renamed
    assert "std::max" in renamed and "max(value_" in renamed and "max_" not in renamed and "auto& e" not in renamed
    macro = "#define N 3\n" + code
    assert attack("rename", macro, "cpp", "f") == macro
    assert "sum" not in attack("strip", code, "cpp", "f")


def test_java_keeps_fields_methods_and_lambdas_meaning():
    code = "class Solution { int total; int size(int size) { int local = size; java.util.function.IntUnaryOperator op = q -> q + local; this.total = op.applyAsInt(1); return total + local; } }"
    renamed = attack("rename", code, "java", "size")
    assert "this.total" in renamed and "int size(int size)" in renamed and "local" not in renamed and " q " not in renamed
    assert "applyAsInt" in renamed


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_attacked_programs_still_pass(language):
    problems = load_problems(f"mini-{language}")[:12]
    programs = [Program(p, attack(name, p.human_solution, language, p.entry_point)) for name in ATTACKS for p in problems]
    assert {v.status for v in run_programs(programs, backend="bubblewrap")} == {"passed"}
    assert all(p.solution != p.problem.human_solution for p in programs)


@pytest.mark.parametrize("name", ["hep-python", "hep-cpp", "hep-java"])
def test_real_solutions_survive_golf(name, data_folder):
    """All three attacks at once on 164 human solutions each."""
    problems = load_problems(name, source=data_folder)
    attacked = [attack("golf", p.human_solution, p.language, p.entry_point) for p in problems]
    programs = [Program(p, text) for p, text in zip(problems, attacked, strict=True)]
    assert [v.task_id for v in run_programs(programs, backend="bubblewrap") if v.status != "passed"] == []
    assert sum(map(len, attacked)) < 0.6 * sum(len(p.human_solution) for p in problems)


def test_unknown_attacks_are_named():
    with pytest.raises(ValueError, match=r"'melt'.*choose one of"):
        attack("melt", "", "python", "f")
    with pytest.raises(ValueError, match=r"'cobol'"):
        attack("golf", "", "cobol", "f")
