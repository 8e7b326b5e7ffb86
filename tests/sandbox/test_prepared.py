"""What the sandbox makes once and keeps: a kept file that does not fit is never used, and nothing depends on the plugin but speed."""

import os
import time

import pytest
from increment import CPP, JAVA

from stone import Problem, Program, run_programs
from stone.sandbox import cpp
from stone.sandbox.prepared import keep, kept


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
    assert {path for path in (old, used, other, new) if path.exists()} == {used, other, new}
