"""Runs inside the sandbox: executes a solution and answers calls to its function. Never sees an expected answer.

Protocol, one packed value a line. In: the source and the function's name, then a list of arguments for each call, or None, which asks
for the last result. Out: ("ready",), then for a call ("value", digest, bytes, floats) or, where it has no digest, ("value", None, 0,
False); for None ("result", value); instead of each ("error", text) or ("memory",). Results can be huge, so they are sent only when asked for.
"""

import hashlib
import marshal
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
    result = None
    for line in questions:
        try:
            arguments = loads(line)
            if arguments is None:
                answers.write(dumps(("result", result)))
            else:
                result = None
                result = function(*arguments)
                answers.write(dumps(("value", *_digest(result))))
        except BaseException as error:
            answers.write(dumps(_failure(error)))


def _digest(result):
    """Digest, size in bytes, and whether it is made of floats. marshal's version 2 writes equal plain values equally."""
    try:
        data = marshal.dumps(result, 2)
    except ValueError:  # not made of plain values; sets within differ in order
        return None, 0, False
    floats = isinstance(result, float) or (isinstance(result, (list, tuple)) and any(isinstance(v, float) for v in result))
    return hashlib.sha256(data).hexdigest(), len(data), floats


def _failure(error):
    if isinstance(error, MemoryError):
        return ("memory",)
    return ("error", (type(error).__name__ + ": " + str(error))[:200])
