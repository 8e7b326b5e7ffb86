"""Runs inside the sandbox: executes a solution and answers calls to its function. Never sees an expected answer.

Protocol, one packed value a line. In: the source and the function's name, then one argument list per call. Out: ("ready",), then per
call ("value", result), ("error", text) or ("memory",).
"""

import os
import sys


def main(dumps, loads):
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    questions = os.fdopen(os.dup(0), "rb")
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    os.dup2(null, 2)
    source, name = loads(questions.readline())
    sys.setrecursionlimit(20000)
    try:
        code = compile(source, "solution.py", "exec")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        answers.write(dumps(("syntax", repr(error)[:200])))
        return
    scope = {"__name__": "solution"}
    try:
        exec(code, scope)
        function = scope[name]
    except BaseException as error:
        answers.write(dumps(_failure(error)))
        return
    answers.write(dumps(("ready",)))
    for line in questions:
        try:
            answers.write(dumps(("value", function(*loads(line)))))
        except BaseException as error:
            answers.write(dumps(_failure(error)))


def _failure(error):
    if isinstance(error, MemoryError):
        return ("memory",)
    return ("error", (type(error).__name__ + ": " + str(error))[:200])
