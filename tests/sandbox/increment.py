"""One problem in three languages: a function f that adds 1."""

from stone import Problem

PYTHON = Problem(
    "t/py", "python", "", "f", "def f(x):\n    return x + 1\n", test="def check(c):\n    assert c(1) == 2\n    assert c(5) == 6\n"
)
CPP = Problem(
    "t/cpp",
    "cpp",
    "",
    "f",
    "int f(int x) { return x + 1; }\n",
    test="#include<assert.h>\nint main(){ assert(f(1) == 2); assert(f(5) == 6); }\n",
)
JAVA = Problem(
    "t/java", "java", "", "f", "class Solution { int f(int x) { return x + 1; } }\n",
    test="public class Main { public static void main(String[] a) { Solution s = new Solution(); if (s.f(1) != 2 || s.f(5) != 6) throw new AssertionError(); } }\n",
)  # fmt: skip
