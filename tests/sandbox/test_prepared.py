"""What the sandbox makes once and keeps: a kept file that does not fit is never used, and nothing depends on the plugin but speed."""

import os
import subprocess
import time
from pathlib import Path

import pytest

from stone import Problem, Program, run_programs
from stone.sandbox import cpp
from stone.sandbox.prepared import keep, kept
from stone.sandbox.selftest import CPP, JAVA

LIBRARY = Path(__file__).with_name("library.cpp")


def statuses(problem: Problem, backend: str) -> list[str]:
    wrong = problem.reference.replace("x + 1", "x + 2")
    return [v.status for v in run_programs([Program(problem, problem.reference), Program(problem, wrong)], backend=backend)]


@pytest.mark.parametrize("problem", [CPP, JAVA], ids=lambda problem: problem.language)
def test_a_damaged_kept_file_is_made_again(problem, backend, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    right = statuses(problem, backend)
    assert right[0] == "passed" and right[1] != "passed"
    files = sorted((tmp_path / "stone").iterdir())
    assert files
    for path in files:
        path.write_bytes(b"damaged")
    assert statuses(problem, backend) == right
    assert sorted((tmp_path / "stone").iterdir()) == files and all(path.stat().st_size > 100 for path in files)


def test_without_the_plugin_verdicts_are_the_same_and_a_line_tells(backend, tmp_path, monkeypatch, capfd):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    broken = tmp_path / "instantiate.cc"
    broken.write_text("#error no headers for plugins\n")
    monkeypatch.setattr(cpp, "_PLUGIN", broken)
    assert statuses(CPP, backend)[0] == "passed"
    assert "half as fast" in capfd.readouterr().err
    assert not list(tmp_path.glob("cache/stone/cpp-*"))


def test_a_kept_file_that_nobody_used_for_a_month_goes(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    old, used, other, new = (kept(*of) for of in (("a", "1"), ("a", "2"), ("b", "1"), ("a", "3")))
    made = tmp_path / "made"
    made.write_text("made")
    for place, days in ((old, 40), (used, 20), (other, 40)):
        keep(made, place)
        os.utime(place, (time.time() - days * 24 * 3600,) * 2)
    keep(made, new)
    assert {path for path in (old, used, other, new) if path.exists()} == {used, new}


@pytest.mark.parametrize("first", ["", '#pragma GCC optimize("O3,unroll-loops")\n'], ids=["plain", "optimised"])
def test_programs_do_what_the_compiler_alone_makes_of_them(first, backend, tmp_path):
    text = first + LIBRARY.read_text()
    (tmp_path / "alone.cpp").write_text(text + '\nint main() { printf("%d", f(20)); }\n')
    subprocess.run(["g++", "-std=c++17", "-w", "-pthread", "alone.cpp", "-o", "alone"], cwd=tmp_path, check=True)
    answer = int(subprocess.run(["./alone"], cwd=tmp_path, check=True, capture_output=True).stdout)
    programs = [
        Program(Problem(f"t/library{n}", "cpp", "", "f", text, test=f"int main() {{ assert(f(20) == {n}); }}\n"), text)
        for n in (answer, answer + 1)
    ]
    assert [v.status for v in run_programs(programs, backend=backend)] == ["passed", "failed"]
