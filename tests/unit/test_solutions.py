"""Solutions are cut out of completions without loss and without chatter."""

import ast

import pytest

from stone import load_problems
from stone.solutions import extract_solution, function_end

CHATTER = {
    "python": "\n\nprint(solve(3))\nassert True\n\ndef other(x):\n    return x\n",
    "cpp": "\nint main() {\n    return 0;\n}\n",
    "java": "\nclass Main {\n    public static void main(String[] a) { }\n}\n",
}


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
def test_references_survive_and_chatter_goes(language):
    for problem in load_problems(f"mini-{language}"):
        clean = extract_solution(problem, problem.reference)
        noisy = extract_solution(problem, problem.reference + CHATTER[language])
        assert noisy.strip() == clean.strip(), problem.task_id
        if language == "python":
            human = {n.name: ast.dump(n) for n in ast.parse(problem.human_solution).body if isinstance(n, ast.FunctionDef)}
            ours = {n.name: ast.dump(n) for n in ast.parse(clean).body if isinstance(n, ast.FunctionDef)}
            assert ours == human
        else:
            assert clean.strip() == problem.human_solution.strip()


@pytest.mark.parametrize("language", ["cpp", "java"])
def test_missing_braces_are_added_and_braces_in_text_do_not_count(language):
    problem = load_problems(f"mini-{language}")[0]
    body = (
        '    if (true) { // }\n        String s = "}";\n' if language == "java" else "    if (true) { // }\n        char c = '}';\n"
    )
    closed = extract_solution(problem, body)
    assert closed.count("\n}") == {"cpp": 2, "java": 3}[language]


@pytest.mark.parametrize("language", ["python", "cpp"])
def test_fenced_and_restated_functions_stand_for_themselves(language):
    problem = load_problems(f"mini-{language}")[0]
    fenced = f"Here is the code:\n```{language}\n{problem.human_solution}```\nHope this helps"
    code = extract_solution(problem, fenced)
    assert "Hope" not in code and code.count(f" {problem.entry_point}(") == 1 + code.count(">>> ")


def test_function_end():
    assert function_end("    return 1\n", "python") is None
    text = "    return 1\n\n"
    assert function_end(text + "def f():", "python") == len(text)
    assert function_end("    return 1;\n}\nint main", "cpp") == len("    return 1;\n}")
    assert function_end("    }\n", "java") is None


@pytest.mark.parametrize("name", ["hep-cpp", "hep-java", "hep-python", "humanevalplus"])
def test_real_references_survive(name, data_folder):
    for problem in load_problems(name, source=data_folder):
        code = extract_solution(problem, problem.reference + CHATTER[problem.language])
        if problem.language == "python":
            human = [ast.dump(n) for n in ast.parse(problem.human_solution).body if isinstance(n, ast.FunctionDef)]
            ours = [ast.dump(n) for n in ast.parse(code).body if isinstance(n, ast.FunctionDef)]
            assert set(ours) <= set(human) and len(ours) >= 1, problem.task_id
        else:
            rest = problem.human_solution.split()[len(code.split()) :]  # preprocessor lines after the function
            assert problem.human_solution.split()[: len(code.split())] == code.split() and len(rest) <= 3, problem.task_id
