"""The real benchmarks in the sandbox: every human solution passes, every buggy one does not, and verdicts are evalplus' own."""

import pytest

from stone import Problem, Program, load_problems, run_programs


def failures(programs):
    return [(v.task_id, v.status, v.detail) for v in run_programs(programs, backend="bubblewrap") if v.status != "passed"]


@pytest.mark.parametrize("name", ["hep-python", "hep-cpp", "hep-java"])
def test_humanevalpack(name, data_folder):
    problems = load_problems(name, source=data_folder)
    assert failures([Program(p, p.human_solution) for p in problems]) == []
    buggy = [Program(p, p.prompt + p.buggy) for p in problems]
    assert len(failures(buggy)) == len(problems)


@pytest.mark.parametrize("name", ["humanevalplus", "mbppplus"])
def test_human_solutions_of_evalplus(name, data_folder):
    """All tests, base and plus; HumanEval/32, which evalplus 0.3.1 itself fails, among them."""
    assert failures([Program(p, p.human_solution) for p in load_problems(name, source=data_folder)]) == []


def variants(problem: Problem) -> list[str]:
    """The human solution, and wrong ones of several kinds (harmless: evalplus runs them too)."""
    text = problem.human_solution
    body = text.replace(problem.prompt, "") if text.startswith(problem.prompt) else text
    head = text[: len(text) - len(body)]
    changed = [
        body.replace("return", "return None and", 1),
        body.replace(" + ", " - ", 1),
        body.replace("==", "!=", 1),
        body.replace(" 1", " 2", 1),
        body.replace("return", "return 0.0 if False else", 1),
        body.replace("return ", "return list(", 1).replace("\n", ")\n", 1) if body.count("\n") < 3 else body,
        body.replace("    return", "    raise ValueError\n    return", 1),
    ]
    return list(dict.fromkeys([text, *(head + c for c in changed)]))


SPECIAL = {2, 7, 111, 140, 164, 232, 249, 295, 434, 558, 579, 581, 769, 794}  # tasks of MBPP+ with an oracle of their own


@pytest.mark.parametrize("name", ["humanevalplus", "mbppplus"])
def test_verdicts_agree_with_evalplus(name, data_folder):
    from evalplus.eval import untrusted_check
    from evalplus.gen.util import trusted_exec

    problems = load_problems(name, source=data_folder)
    chosen = [p for p in problems[::9] if len(str(p.inputs)) < 200_000]
    if name == "mbppplus":
        chosen += [p for p in problems if int(p.task_id.split("/")[1]) in SPECIAL and p not in chosen]
    programs = [Program(p, text) for p in chosen for text in variants(p)]
    ours = [v.status == "passed" for v in run_programs(programs, backend="bubblewrap")]
    theirs = []
    for program in programs:
        p = program.problem
        inputs = [list(arguments) for arguments in p.inputs]
        optional = name == "mbppplus" and p.entry_point in ("check_str", "text_match_three", "text_starta_endb")
        right, seconds = trusted_exec(p.human_solution, inputs, p.entry_point, record_time=True, output_not_none=optional)
        dataset = "humaneval" if name == "humanevalplus" else "mbpp"
        outcome, _ = untrusted_check(dataset, program.solution, inputs, p.entry_point, right, p.atol, seconds, fast_check=True)
        theirs.append(outcome == "pass")
    assert sum(theirs) > len(chosen) // 2 and sum(not t for t in theirs) > len(chosen)
    differing = {p.problem.task_id for p, mine, other in zip(programs, ours, theirs, strict=True) if mine != other}
    assert differing <= {"HumanEval/32"}
