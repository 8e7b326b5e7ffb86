"""HumanEvalPack in the sandbox: every human solution passes, every buggy one does not."""

import pytest

from stone import Program, load_problems, run_programs


@pytest.mark.parametrize("name", ["hep-python", "hep-cpp", "hep-java"])
def test_humanevalpack(name, data_folder):
    problems = load_problems(name, source=data_folder)
    human = run_programs([Program(p, p.human_solution) for p in problems], backend="bubblewrap")
    assert [(v.task_id, v.status, v.detail) for v in human if v.status != "passed"] == []
    buggy = run_programs([Program(p, p.prompt + p.buggy) for p in problems], backend="bubblewrap")
    assert [v.task_id for v in buggy if v.status == "passed"] == []
