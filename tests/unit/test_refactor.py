"""Refactoring keeps what a program does: every rewrite fires, every trap is left, random programs behave the same."""

import copy

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from stone import Program, load_problems, run_programs
from stone.attacks.refactor import refactored

# name of a rewrite -> the body of f(a, b, xs), a piece of what it becomes
PYTHON_REWRITES = {
    "statement on a line of its own": ("if a: print(1); print(2)", "    print(1)\n    print(2)\n"),
    "for to counting while": ("n = 0\nfor i in range(len(xs)):\n    n += xs[i]\nprint(n)", "while stop > i:"),
    "for to while over iterator": ("for x in xs:\n    print(x)", "while (item := next(iterator, end)) is not end:"),
    "while to for": ("while a < 9:\n    a += 4", "for step in iter(int, 1):"),
    "append loop to comprehension": ("ys = []\nfor x in xs:\n    if x > b:\n        ys.append(x * 2)\nprint(ys)", "ys = [x * 2 for x in xs if b < x]"),
    "comprehension to append loop": ("ys = [x * y for x in xs if x for y in range(2)]\nprint(ys)", "items.append(x * y)"),
    "conditional expression to if": ("c = a if b else 3\nprint(c)", "c = a"),
    "if to conditional expression": ("if a > b:\n    return a\nelse:\n    return b", "b if not b < a else a"),
    "conditional expression turned round": ("print(a if a == b else b)", "print(b if b != a else a)"),
    "guards to elif chain": ("if a:\n    return 1\nif b:\n    return 2\nprint(a)", "elif b:"),
    "guard to else": ("if a:\n    return 1\nprint(a)", "else:"),
    "guard turned round": ("if a:\n    print(1)\n    return 1\nprint(2)\nreturn 3", "not a"),
    "else removed": ("if a:\n    print(1)\n    return 1\nelse:\n    print(3)\n    b = 4", "    b = 4\n"),
    "branches swapped": ("if a:\n    print(1)\nelse:\n    print(2)\nprint(3)", "not a"),
    "early continue": ("for x in xs:\n    print(x)\n    if x:\n        print(a)", "continue"),
    "early return": ("print(a)\nif b:\n    print(b)", "return"),
    "augmented assignment": ("n = 0\nn = n + a\nprint(n)", "n += a"),
    "augmented assignment spelled out": ("n = ''\nn += str(a)\nprint(n)", "n = n + str(a)"),
    "comparison mirrored": ("print(a < b, sum(xs) >= 3)", "print(b > a, 3 <= sum(xs))"),
    "chained comparison split": ("print(0 < a <= b)", "((a > 0) and (b >= a))"),
    "condition named": ("if a > b:\n    print(a)\nprint(b)", "condition = b < a"),
    "returned value named": ("return a + b", "result = a + b"),
    "other quotes": ("print('a')", 'print("a")'),
    "parentheses": ("return (a and b == 1)", "a and (1 == b)"),
}  # fmt: skip
PYTHON_INPUTS = [(0, 0, []), (1, 0, [1, 0]), (2, 5, [3, 1, 7]), (7, 3, [0, 0, 2]), (3, 3, [4])]


def function(body: str) -> str:
    return "def f(a, b, xs):\n" + "".join(f"    {line}\n" for line in body.split("\n"))


def behaviour(code: str, *arguments: object) -> tuple:
    """What a function returns or raises, what it prints and what it does to its arguments."""
    printed: list = []
    scope = {"print": lambda *values: printed.append(repr(values))}
    exec(code, scope)
    given = copy.deepcopy(arguments)
    try:
        value = scope["f"](*given)
        if isinstance(value, list) and value and callable(value[0]):
            value = [g() for g in value]
    except NameError:
        value = NameError  # or its child UnboundLocalError
    except Exception as problem:
        value = type(problem)
    return value, printed, given


@pytest.mark.parametrize("kind", PYTHON_REWRITES)
def test_each_python_rewrite_does_what_it_says(kind):
    body, piece = PYTHON_REWRITES[kind]
    code = function(body)
    changed, fired = refactored(code, "python")
    assert fired[kind] and piece in changed
    for arguments in PYTHON_INPUTS:
        assert behaviour(code, *arguments) == behaviour(changed, *arguments)


# A rewrite that must not be done -> a body where it would change what happens
PYTHON_TRAPS = [
    ("augmented assignment spelled out", "ys = xs\nys += [1]\nprint(xs)"),  # a list changes in place
    ("augmented assignment spelled out", "n = 2\nn *= xs\nm = n\nn *= b\nn += [1]\nprint(m)"),
    ("augmented assignment", "ys = xs\nys = ys + [1]\nprint(xs)"),
    ("append loop to comprehension", "ys = []\nfor x in [1, 2]:\n    ys.append(x)\nprint(ys, x)"),  # x lives on
    ("append loop to comprehension", "ys = []\nfor x in xs:\n    ys.append(lambda: x)\nreturn ys"),
    ("append loop to comprehension", "ys = []\nfor x in range(3):\n    ys.append(len(ys) + x)\nprint(ys)"),
    ("append loop to comprehension", "y = 1\nys = []\nfor x in xs:\n    for y in range(y):\n        ys.append(x)\nprint(ys)"),
    ("append loop to comprehension", "ys = []\ntry:\n    for x in [1, 0]:\n        ys.append(1 // x)\nexcept ZeroDivisionError:\n    pass\nprint(ys)"),
    ("comprehension to append loop", "x = 5\nys = [x for x in xs]\nprint(x, ys)"),  # x is another x
    ("comprehension to append loop", "return [lambda: x for x in range(3)]"),
    ("comprehension to append loop", "ys = [(x for _ in range(2)) for x in range(3)]\nprint([list(y) for y in ys])"),
    ("for to counting while", "for i in range(3):\n    pass\nprint(i)"),  # i would be 3
    ("for to counting while", "for i in range(3):\n    if i == b:\n        continue\n    print(i)"),
    ("for to counting while", "for i in range(3):\n    i = i * 2\n    print(i)"),
    ("for to counting while", "for i in range(a):\n    print(i)"),  # range refuses what is no int
    ("for to counting while", "fs = []\nfor i in range(3):\n    fs.append(lambda: i)\nreturn fs"),
    ("for to counting while", "for i in range(3):\n    for j in range(3):\n        continue\n    else:\n        continue\n    print(j)"),
    ("comparison mirrored", "print(f'{a<b=} {a+b=}')"),  # prints its own text
    ("comparison mirrored", "def g(x):\n    print(x)\n    return x\nreturn g(a) < g(b)"),  # the order shows
    ("comparison mirrored", "def g():\n    nonlocal a\n    a = 9\n    return 5\nreturn a < g()"),
    ("chained comparison split", "def g():\n    print(1)\n    return 5\nreturn a < g() < 9"),
    ("for to while over iterator", "next = 3\nfor x in xs:\n    print(x, next)"),
    ("branches swapped", "return eval('a')\nif a:\n    print(1)\nelse:\n    print(2)"),
]  # fmt: skip


@pytest.mark.parametrize("kind, body", PYTHON_TRAPS)
def test_python_traps_are_left(kind, body):
    code = function(body)
    changed, fired = refactored(code, "python")
    assert not fired[kind]
    for arguments in PYTHON_INPUTS:
        assert behaviour(code, *arguments) == behaviour(changed, *arguments)


def test_python_order_of_nan_and_sets_stays():
    code = "def f(a, b, xs):\n    if a < b:\n        print(1)\n    else:\n        print(2)\n    print(3)\n"
    changed, _ = refactored(code, "python")
    for arguments in ((float("nan"), 1, []), ({1}, {2}, []), (1, 2, [])):
        assert behaviour(code, *arguments) == behaviour(changed, *arguments)


def test_python_classes_keep_their_operators():
    code = "class V:\n    def __lt__(self, other):\n        return 'less'\n    def __gt__(self, other):\n        return 'more'\n\ndef f(a, b, xs):\n    return V() < 3\n"
    assert behaviour(refactored(code, "python")[0], 1, 2, []) == behaviour(code, 1, 2, [])


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "n", "i", "0", "1", "2", "len(xs)"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*"]), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} < {t[2]} else {t[2]})"),
    ),
    max_leaves=3,
)
CONDITIONS = st.recursive(
    st.tuples(EXPRESSIONS, st.sampled_from(["<", "<=", "==", "!=", ">"]), EXPRESSIONS).map(" ".join),
    lambda inner: st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda t: f"not ({t[0]} {t[1]} {t[2]})"),
    max_leaves=3,
)


def block(inside_loop: bool, depth: int) -> st.SearchStrategy[list[str]]:
    simple = st.one_of(
        st.tuples(st.sampled_from(["n", "a", "b"]), st.sampled_from(["=", "+=", "-="]), EXPRESSIONS).map(lambda t: [" ".join(t)]),
        EXPRESSIONS.map(lambda e: [f"print({e})"]),
        EXPRESSIONS.map(lambda e: [f"n = n + {e}"]),
        st.tuples(EXPRESSIONS, CONDITIONS).map(lambda t: [f"ys = [{t[0]} for j in xs if {t[1]}]", "print(ys)"]),
        st.tuples(EXPRESSIONS, CONDITIONS).map(
            lambda t: ["ys = []", "for i in xs:", f"    if {t[1]}:", f"        ys.append({t[0]})"]
        ),
        EXPRESSIONS.map(lambda e: [f"return {e}"]),
        *([st.sampled_from([["continue"], ["break"]])] if inside_loop else []),
    )
    if not depth:
        return simple

    def several(loop: bool) -> st.SearchStrategy[list[str]]:
        inner = st.lists(block(loop, depth - 1), min_size=1, max_size=3)
        return inner.map(lambda parts: ["    " + line for part in parts for line in part])

    return st.one_of(
        simple,
        st.tuples(CONDITIONS, several(inside_loop)).map(lambda t: [f"if {t[0]}:", *t[1]]),
        st.tuples(CONDITIONS, several(inside_loop), several(inside_loop)).map(lambda t: [f"if {t[0]}:", *t[1], "else:", *t[2]]),
        st.tuples(st.sampled_from(["range(3)", "range(len(xs))", "xs"]), several(True)).map(lambda t: [f"for i in {t[0]}:", *t[1]]),
        several(True).map(lambda t: ["k = 0", "while k < 3:", "    k += 1", *t]),
    )


@settings(max_examples=100, derandomize=True, phases=[Phase.generate])
@given(st.lists(block(False, 2), min_size=1, max_size=5))
def test_random_python_programs_behave_the_same(parts):
    """Loops, branches, comprehensions and jumps put together at random, loop variables read after their loops included."""
    code = function("\n".join(["n = 0", *(line for part in parts for line in part)]))
    changed, _ = refactored(code, "python")
    for arguments in PYTHON_INPUTS:
        expected = behaviour(code, *arguments)
        assert expected[0] is NameError or expected == behaviour(changed, *arguments), changed


# language, rewrite, statement inside a function of x and y (ints) and v (a list), a piece of what it becomes
BRACES_REWRITES = [
    ("cpp", "braces around a statement", "if (x) y = 1;", "{\n        y = 1;"),
    ("cpp", "for to while", "for (int i = 0; i < x; i++) y = i;", "while (x > i)"),
    ("cpp", "while to for", "while (x < 9) { x += 1; }", "for (; 9 > x; )"),
    ("cpp", "range for to iterator", "for (auto& e : v) { if (e) continue; e = 1; }", "auto& e = *position;"),
    ("cpp", "conditional expression to if", "return x ? 1 : 2;", "return 2;"),
    ("cpp", "if to conditional expression", "if (x) return 1; else return 2;", "!(x) ? 2 : 1"),
    ("cpp", "conditional expression turned round", "y = x == 1 ? 3 : y;", "x != 1 ? y : 3"),
    ("cpp", "operator spelled otherwise", "y = x && y;", "x and y"),
    ("cpp", "augmented assignment", "x = x + y;", "x += y;"),
    ("cpp", "augmented assignment spelled out", "x -= y + 1;", "x = x - (y + 1);"),
    ("cpp", "increment before or after", "v[0]++;", "++v[0];"),
    ("cpp", "increment by one", "x--;", "x -= 1;"),
    ("cpp", "returned value named", "return x + y;", "auto result = x + y;"),
    ("java", "for over array to index", "for (char c : \"ab\".toCharArray()) { y += c; }", "char c = array[index];"),
    ("java", "for over collection to iterator", "for (int e : v) { if (e > 1) { continue; } y += e; }", "int e = iterator.next();"),
    ("java", "branches swapped", "if (x < y) { x = 1; } else { x = 2; }", "y <= x"),
    ("java", "guards to else-if chain", "if (x > 1) { return 1; } if (x > 2) { return 2; } y = 3;", "else if (2 < x)"),
    ("java", "guard to else", "if (x > 1) { return 1; } y = 3;", "else\n"),
    ("java", "guard turned round", "if (x > 1) { y = 2; return 1; } y = 3; return y + 1;", "boolean condition = 1 >= x;"),
    ("java", "else removed", "if (x > 1) { y = 1; return 1; } else { y = 3; }", "}\n        y = 3;"),
    ("java", "early continue", "while (x > 1) { x--; if (y > 1) { x--; } }", "continue;"),
    ("java", "comparison mirrored", "boolean q = x < v.size();", "v.size() > x"),
    ("java", "condition named", "if (x > 1) { y = 1; }", "boolean condition = 1 < x;"),
    ("java", "returned value named", "return x + y;", "int result = x + y;"),
]  # fmt: skip
BRACES_TRAPS = [
    ("java", "augmented assignment spelled out", "x += 1.5;"),  # Java narrows
    ("java", "augmented assignment spelled out", "char c = 'a'; c += 1;"),
    ("java", "increment by one", "Character c = 'a'; c++;"),
    ("java", "for to while", "for (int i = 0; i < x; i++) { return i; }"),  # the step would be unreachable
    ("java", "for to while", "for (int i = 0; i < x; i++) { if (i == y) { continue; } y = i; }"),
    ("java", "for to while", "outer: for (int i = 0; i < x; i++) { while (true) { continue outer; } }"),
    ("java", "comparison mirrored", "boolean q = v.remove(0) < v.remove(0);"),
    ("java", "condition named", "int z; if ((z = x) > 1) { y = z; }"),
    ("cpp", "comparison mirrored", "auto g = [&]() { return ++x; }; bool q = x < g();"),
    ("cpp", "augmented assignment spelled out", "auto g = [&]() { return ++x; }; x += g();"),
    ("cpp", "augmented assignment spelled out", "for (auto& e : v) { e += 1; }"),
    ("cpp", "returned value named", "auto g = [&]() -> int& { return v[0]; };"),
    ("cpp", "branches swapped", "if (int z = x) { y = z; } else { y = 2; }"),
    ("cpp", "guard turned round", "int z = 0; if (x > 1) { int z = 5; return z; } y = z; return y;"),  # two z in one scope
    ("cpp", "while to for", "while (int z = x) { x = z - 1; }"),
    ("cpp", "if to conditional expression", "unsigned u = 1; if (x > 1) { return x; } else { return u; }"),  # a common type
]  # fmt: skip


def program(language: str, statement: str) -> str:
    if language == "cpp":
        return f"#include <vector>\nint f(int x, int y, std::vector<int> v) {{\n    {statement}\n    return 0;\n}}\n"
    return f"import java.util.*;\nclass Solution {{\n    int f(int x, int y, List<Integer> v) {{\n        {statement}\n    }}\n}}\n"


@pytest.mark.parametrize("language, kind, statement, piece", BRACES_REWRITES)
def test_each_rewrite_of_cpp_and_java_does_what_it_says(language, kind, statement, piece):
    changed, fired = refactored(program(language, statement), language)
    assert fired[kind] and piece in changed


@pytest.mark.parametrize("language, kind, statement", BRACES_TRAPS)
def test_traps_of_cpp_and_java_are_left(language, kind, statement):
    assert not refactored(program(language, statement), language)[1][kind]


@pytest.mark.parametrize("language", ["cpp", "java"])
def test_void_functions_return_early(language):
    code = "void f(int x) { g(); if (x) { h(); } }"
    changed, fired = refactored(code if language == "cpp" else f"class A {{ {code} }}", language)
    assert fired["early return"] and "return;" in changed


def test_cpp_operators_of_the_program_are_trusted_with_nothing():
    code = "struct A { bool operator<(A b) { return true; } };\nint f(A a, A b) { if (a < b) { return 1; } a++; return 2; }\n"
    changed, fired = refactored(code, "cpp")
    assert "a < b" in changed and "a++" in changed and not fired["comparison mirrored"]


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_the_same_program_gives_the_same_text_and_a_broken_one_is_left(language):
    for p in load_problems(f"mini-{language}")[:10]:
        assert refactored(p.human_solution, language) == refactored(p.human_solution, language)
    broken = "def f(:" if language == "python" else "int f( {"
    assert refactored(broken, language)[0] == broken


@pytest.mark.parametrize("name", ["humanevalplus", "hep-cpp", "hep-java"])
def test_real_solutions_survive_refactoring(name, data_folder):
    """Every tenth human solution, to stay quick."""
    problems = load_problems(name, source=data_folder)[::10]
    made = [refactored(p.human_solution, p.language) for p in problems]
    programs = [Program(p, text) for p, (text, _) in zip(problems, made, strict=True)]
    assert [v.task_id for v in run_programs(programs, backend="bubblewrap") if v.status != "passed"] == []
    assert sum(sum(fired.values()) for _, fired in made) > 4 * len(made)
