"""Runs inside the sandbox: executes a solution and answers calls to its function. Never sees an expected answer.

In: marshalled values, each behind its length (4 bytes): (source, function's name, room), then the arguments of each call.
Out: one packed value a line: ("ready",), then for each call ("value", result), or ("digest", sha256, bytes) of a result that takes more
than `room` bytes (None: no limit); instead of each ("error", text) or ("memory",), for a solution that does not compile ("syntax", text).
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
    source, name, room = read(questions)
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
        answers.write(dumps(failure(error)))
        return
    answers.write(dumps(("ready",)))
    while (arguments := read(questions)) is not None:
        try:
            answers.write(reply(dumps, function(*arguments), room))
        except BaseException as error:
            answers.write(dumps(failure(error)))


def read(questions):
    """The next value; None when no more comes."""
    size = questions.read(4)
    return marshal.loads(questions.read(int.from_bytes(size, "big"))) if size else None


def reply(dumps, result, room):
    if room is not None:
        try:
            data = marshal.dumps(result, 2)  # of equal lists and tuples of plain values, version 2 is equal
        except ValueError:  # not made of plain values
            data = b""
        if len(data) > room:
            return dumps(("digest", hashlib.sha256(data).hexdigest(), len(data)))
    return dumps(("value", result))


def failure(error):
    if isinstance(error, MemoryError):
        return ("memory",)
    return ("error", (type(error).__name__ + ": " + str(error))[:200])
