"""Runs inside the sandbox, in a process of its own: executes a problem's trusted `check` with a candidate that lives elsewhere.

Protocol, one packed value a line. In: the prompt (tests may use its helpers), the test source and
the function's name, then the answer to each call. Out: ("call", arguments) for each call, at last
("verdict", status, detail).
"""

import os


class CandidateError(Exception):
    """The solution raised, or its answer is no plain value."""


def compile_prompt(prompt):
    """The prompt's helpers and the head of its function, which has no body yet unless a docstring is one."""
    try:
        return compile(prompt, "prompt.py", "exec")
    except SyntaxError:
        return compile(prompt.rstrip() + "\n    pass\n", "prompt.py", "exec")


def main(dumps, loads):
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    answers = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)

    def candidate(*arguments):
        out.write(dumps(("call", list(arguments))))
        answer = loads(answers.readline())
        if answer[0] != "value":
            raise CandidateError(answer[1])
        return answer[1]

    prompt, source, name = loads(answers.readline())
    scope = {"__name__": "check"}
    try:
        exec(compile_prompt(prompt), scope)
        scope[name] = candidate
        exec(compile(source, "check.py", "exec"), scope)
        if "\ncheck(" not in source:  # HumanEvalPack's tests call their check themselves
            scope["check"](candidate)
        verdict = ("verdict", "passed", "")
    except CandidateError as error:
        verdict = ("verdict", "runtime_error", str(error))
    except AssertionError as error:
        verdict = ("verdict", "failed", str(error)[:200])
    except Exception as error:  # the test choked on what it was given: a wrong answer of a wrong type
        verdict = ("verdict", "failed", repr(error)[:200])
    out.write(dumps(verdict))
