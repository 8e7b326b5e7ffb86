"""Rewrites: two forms of one meaning, slots that stay the same whatever form they have, and programs that still pass."""

import ast
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stone import Program, load_problems, run_programs
from stone.methods.acw import bit
from stone.rewrites import rewrite, slots

# kind, form 0, form 1: one statement each, to stand in a function of its language.
PYTHON = [
    ("order", "while a < len(b): a += step", "while len(b) > a: a += step"),
    ("equal", "assert x == 0", "assert 0 == x"),
    ("equal", "y = f(x) if x is None else 1", "y = f(x) if None is x else 1"),
    ("negation", "if x != y:\n        pass", "if not x == y:\n        pass"),
    ("negation", "z = [v for v in w if v not in x]", "z = [v for v in w if not v in x]"),
    ("branch", "if x == y:\n        a()\n    else:\n        b()", "if x != y:\n        b()\n    else:\n        a()"),
    (
        "branch",
        "if x or y:\n        a()\n    else:  # why\n        b()",
        "if not (x or y):\n        b()\n    else:  # why\n        a()",
    ),
    ("ternary", "y = a if f(x) else b", "y = b if not f(x) else a"),
    ("augmented", "x += 1", "x = x + 1"),
    ("augmented", "d[k] -= len(w)", "d[k] = d[k] - len(w)"),
    ("operands", "y = x * 2", "y = 2 * x"),
    ("range", "r = range(n)", "r = range(0, n)"),
    ("empty", "y = []", "y = list()"),
    ("empty", "y = {}", "y = dict()"),
    ("quotes", "y = 'a b'", 'y = "a b"'),
    ("returned", "return x + y", "return (x + y)"),
    ("forever", "while True:\n        pass", "while 1:\n        pass"),
]
BRACES = [
    ("order", "b = n < m;", "b = m > n;"),
    ("equal", "b = n == 0;", "b = 0 == n;"),
    ("negation", "b = f(n) != g(m);", "b = !(f(n) == g(m));"),
    ("branch", "if (n == m) { f(); } else { g(); }", "if (n != m) { g(); } else { f(); }"),
    ("branch", "if (f()) { f(); } else { g(); }", "if (!f()) { g(); } else { f(); }"),
    ("ternary", "n = f() ? m : 1;", "n = !f() ? 1 : m;"),
    ("increment", "n++;", "++n;"),
    ("augmented", "n += 2;", "n = n + 2;"),
    ("operands", "m = n * 2;", "m = 2 * n;"),
    ("returned", "return n;", "return (n);"),
    ("braces", "while (f()) g();", "while (f()) { g(); }"),
    ("loop", "while (f()) { g(); g(); }", "for (; f(); ) { g(); g(); }"),
]
FRAMES = {
    "python": "def solve(n, m, x, y):\n    {}\n",
    "cpp": "int solve(int n, int m) {{\n    {}\n}}\n",
    "java": "class S {{ int solve(int n, int m) {{\n    {}\n}} }}\n",
}
CASES = [("python", *case) for case in PYTHON] + [(language, *case) for language in ("cpp", "java") for case in BRACES]


@pytest.mark.parametrize(("language", "kind", "first", "second"), CASES)
def test_a_slot_has_two_forms_and_goes_there_and_back(language, kind, first, second):
    code = [FRAMES[language].format(text) for text in (first, second)]
    other = 0 if kind == "braces" else 1  # form 0 of a body has braces
    (name,) = {s.name for s in slots(code[0], language) if s.kind == kind}
    for present, text in enumerate(code):
        form = {s.name: s.form for s in slots(text, language)}
        assert form[name] == (present if other else 1 - present) and set(form) == {s.name for s in slots(code[0], language)}
        for wanted in (0, 1):
            target = code[wanted if other else 1 - wanted]
            assert rewrite(text, language, lambda n, form=form, wanted=wanted: wanted if n == name else form[n]) == target


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        ("python", "return next(x) < next(y)", "order"),  # the order of evaluation shows
        ("python", "return a < b < c", "order"),
        ("python", "x += y", "augmented"),  # a list would be changed in place
        ("python", "y = x = x + 1", "augmented"),
        ("python", "range = n; y = range(0, n)", "range"),
        ("python", "def list(): pass\n    y = list()", "empty"),
        ("python", "y = f'{x}' + 'it\\'s'", "quotes"),
        ("python", "if a: b()\n    else: c()", "branch"),
        ("python", "return (x := 1)", "returned"),
        ("java", "s += 1;", "augmented"),  # a string, or a byte that would need a cast
        ("java", "String t = s + 1;", "operands"),
        ("cpp", "if (n) if (m) { f(); } else { g(); }", "braces"),
        ("cpp", "int k = n++;", "increment"),
    ],
)
def test_what_is_not_surely_the_same_is_left(language, text, kind):
    assert kind not in {s.kind for s in slots(FRAMES[language].format(text), language)}


def test_words_never_grow_together():
    code = 'def f(x):\n    if(x):\n        return(x)if"a"==x else(x)\n    else:\n        x=(1)if(not x)else(2)\n'
    for wanted in (0, 1):
        ast.parse(rewrite(code, "python", lambda name, wanted=wanted: wanted))


PROGRAMS = [p for language in ("python", "cpp", "java") for p in load_problems(f"mini-{language}")]


@settings(max_examples=60)
@given(st.sampled_from(PROGRAMS), st.integers(0, 2**32), st.booleans())
def test_slots_are_the_same_before_and_after_marking(problem, key, whole):
    code, start = problem.human_solution, 0 if whole else len(problem.prompt)
    marked = rewrite(code, problem.language, lambda name: bit(key, name), start)
    before, after = (slots(text, problem.language) for text in (code, marked))
    assert Counter(s.name for s in before) == Counter(s.name for s in after) and marked[:start] == code[:start]
    assert all(s.form == bit(key, s.name) for s in after if s.start >= len(code[:start].encode()))
    assert rewrite(marked, problem.language, lambda name: bit(key, name), start) == marked  # idempotent
    forms = {s.name: s.form for s in before}
    assert {s.name: s.form for s in slots(rewrite(marked, problem.language, forms.__getitem__, start), problem.language)} == forms


@given(
    st.text(alphabet="ab ()[]{}:;=<>!+-\n'\"#if else return range(0,n)", max_size=80), st.sampled_from(["python", "cpp", "java"])
)
def test_any_text_can_be_marked(text, language):
    assert isinstance(rewrite(text, language, lambda name: 1), str)


def test_deep_nesting_is_left():
    assert "(" * 3000 in rewrite("x = " + "(" * 3000 + ")" * 3000 + "\n", "python", lambda name: 1)


def test_renaming_locals_changes_no_name():
    code = (
        "def solve(values, n):\n    total = 0\n    for v in values:\n        if v < n:\n            total += 1\n    return total\n"
    )
    renamed = code.replace("values", "a").replace("total", "b").replace("v ", "c ").replace("n:", "d:").replace(", n", ", d")
    assert {s.name for s in slots(code, "python")} == {s.name for s in slots(renamed, "python")}


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_rewritten_programs_still_pass(language):
    problems = load_problems(f"mini-{language}")[:12]
    forms = (lambda name: 0, lambda name: 1, lambda name: bit(1, name))
    programs = [Program(p, rewrite(p.human_solution, language, form)) for form in forms for p in problems]
    assert {v.status for v in run_programs(programs, backend="bubblewrap")} == {"passed"}
    assert sum(p.solution != p.problem.human_solution for p in programs) > 24


@pytest.mark.parametrize("name", ["hep-python", "hep-cpp", "hep-java"])
def test_rewritten_real_solutions_still_pass(name, data_folder):
    problems = load_problems(name, source=data_folder)
    programs = [Program(p, rewrite(p.human_solution, p.language, lambda n: bit(1, n), len(p.prompt))) for p in problems]
    assert [v.task_id for v in run_programs(programs, backend="bubblewrap") if v.status != "passed"] == []


def test_unknown_languages_are_named():
    with pytest.raises(ValueError, match=r"'cobol'.*choose one of python"):
        slots("", "cobol")
