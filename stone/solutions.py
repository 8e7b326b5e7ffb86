"""From a completion to a runnable solution: the function that the prompt opens, closed properly, without trailing chatter."""

import re
from functools import lru_cache

from tree_sitter import Language, Node, Parser

from stone.datasets import Problem

_FENCE = re.compile(r"```[a-zA-Z+]*\n(.*?)(?:```|\Z)", re.DOTALL)
_NEXT_TOP_LEVEL = re.compile(r"^\S", re.MULTILINE)
_CLOSING_BRACE = re.compile(r"^\}.*$", re.MULTILINE)


def function_end(text: str, language: str) -> int | None:
    """Where the function that a completion continues is over: the first line at column 0 (Python) or the brace at column 0 that closes
    the function or class (C++, Java). None while it goes on."""
    if language == "python":
        for match in _NEXT_TOP_LEVEL.finditer(text):
            if text[: match.start()].strip():
                return match.start()
        return None
    closing = _CLOSING_BRACE.search(text)
    return closing.end() if closing else None


def extract_solution(problem: Problem, completion: str) -> str:
    """The program made of a problem's prompt and a completion of it, tests excluded.

    Python goes through evalplus' sanitiser; C++ and Java end where the braces that the prompt opened are closed (missing ones are
    added). A fenced block, or a completion that restates the whole function, stands for itself.
    """
    block = _FENCE.search(completion)
    body = block.group(1) if block else completion
    whole = _restates(problem, body)
    if problem.language == "python":
        return _sanitised(problem, body if whole else problem.prompt + body)
    header = _header(problem) if whole else problem.prompt
    return _closed(header + body, problem.language, 0 if whole else len(problem.prompt.encode()))


def _restates(problem: Problem, text: str) -> bool:
    name = re.escape(problem.entry_point)
    pattern = rf"^def {name}\(" if problem.language == "python" else rf"^\s*[\w:<>,&*\s\[\]]+[\s&*]{name}\s*\([^;]*\)\s*\{{"
    return re.search(pattern, text, re.MULTILINE) is not None and (problem.language != "java" or "class " in text)


def _header(problem: Problem) -> str:
    """Imports and includes of a prompt, and what else stands before the function's own line."""
    kept = re.findall(r"^(?:#include.*|using .*|import .*)$", problem.prompt, re.MULTILINE)
    return "\n".join(kept) + "\n"


def _sanitised(problem: Problem, code: str) -> str:
    from evalplus.sanitize import sanitize

    return sanitize(code, entrypoint=problem.entry_point)


@lru_cache(maxsize=3)
def parser(language: str) -> Parser:
    """tree-sitter's parser of a language."""
    if language == "cpp":
        import tree_sitter_cpp as grammar
    elif language == "java":
        import tree_sitter_java as grammar  # type: ignore[no-redef]
    else:
        import tree_sitter_python as grammar  # type: ignore[no-redef]
    return Parser(Language(grammar.language()))


def _braces(node: Node):
    """Brace tokens in source order; braces in strings and comments are no tokens."""
    if node.type in "{}" and not node.is_missing:
        yield node
    for child in node.children:
        yield from _braces(child)


def _closed(code: str, language: str, written_from: int) -> str:
    """Cut after the brace that brings the depth back to 0, or add the braces that are missing."""
    source, depth = code.encode(), 0
    for brace in _braces(parser(language).parse(source).root_node):
        depth += 1 if brace.type == "{" else -1
        if depth <= 0 and brace.type == "}" and brace.start_byte >= written_from:
            return source[: brace.end_byte].decode(errors="replace") + "\n"
    return code.rstrip() + "\n" + "}\n" * depth
