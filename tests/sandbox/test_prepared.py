"""What the sandbox makes once and keeps: a kept file that does not fit is never used, and nothing depends on the plugin but speed."""

import pytest

from stone import Problem, Program, run_programs
from stone.sandbox import cpp

INCREMENT = {
    "cpp": Problem(
        "t/cpp", "cpp", "", "f", "int f(int x) { return x + 1; }\n", test="#include<assert.h>\nint main(){ assert(f(1) == 2); }\n"
    ),
    "java": Problem(
        "t/java", "java", "", "f", "class Solution { int f(int x) { return x + 1; } }\n",
        test="public class Main { public static void main(String[] a) { if (new Solution().f(1) != 2) throw new AssertionError(); } }\n",
    ),
}  # fmt: skip


def statuses(problem: Problem, backend: str) -> list[str]:
    wrong = problem.reference.replace("x + 1", "x + 2")
    return [v.status for v in run_programs([Program(problem, problem.reference), Program(problem, wrong)], backend=backend)]


@pytest.mark.parametrize("language", INCREMENT)
def test_a_damaged_kept_file_is_made_again(language, backend, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    right = statuses(INCREMENT[language], backend)
    assert right[0] == "passed" and right[1] != "passed"
    kept = sorted((tmp_path / "stone").iterdir())
    assert kept
    for path in kept:
        path.write_bytes(b"damaged")
    assert statuses(INCREMENT[language], backend) == right
    assert sorted((tmp_path / "stone").iterdir()) == kept and all(path.stat().st_size > 100 for path in kept)


def test_without_the_plugin_verdicts_are_the_same_and_a_line_tells(backend, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    broken = tmp_path / "instantiate.cc"
    broken.write_text("#error no headers for plugins\n")
    monkeypatch.setattr(cpp, "_PLUGIN", broken)
    assert statuses(INCREMENT["cpp"], backend)[0] == "passed"
    assert "half as fast" in capfd.readouterr().err
    assert not list(tmp_path.glob("cache/stone/cpp-*"))
