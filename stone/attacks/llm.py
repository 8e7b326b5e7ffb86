"""Attacks by a language model: paraphrase with the paper's prompt, and refactoring. Unlike the other attacks they may break a program."""

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence

import pandas as pd
from tree_sitter import Node

from stone.chat import ChatSettings, Reply, cost
from stone.datasets import Problem
from stone.solutions import parser

PROMPTS = {
    # The paper's prompt to GPT-4o, to the letter (section on robustness to attacks, footnote).
    "llm-paraphrase": "Please paraphrase the following code.\n\n{code}",
    # Ours: the paper's refactoring is a commercial service, whose prompt is not public.
    "llm-refactor": "Please refactor the following code. Keep its behaviour, and the names and signatures of its functions. "
    "Answer with the whole program in one code block.\n\n{code}",
}
_BLOCK = re.compile(r"^[ \t]*```[^\n`]*\n(.*?)(?:^[ \t]*```|\Z)", re.MULTILINE | re.DOTALL)


def prompt(name: str, code: str) -> str:
    """What the model is asked. Raises ValueError for an unknown attack."""
    if name not in PROMPTS:
        raise ValueError(f"attack {name!r} is unknown; choose one of {', '.join(PROMPTS)}")
    return PROMPTS[name].format(code=code)


def code_of(reply: str, language: str, entry_point: str) -> str:
    """The attacked program: the first fenced block that holds the function, else the first block, else the whole reply.

    Nothing is repaired: what is no program stays none, and its verdict says so.
    """
    blocks = _BLOCK.findall(reply)
    return next((b for b in blocks if holds(b, language, entry_point)), blocks[0] if blocks else reply)


def holds(code: str, language: str, entry_point: str) -> bool:
    """Whether code parses and defines the function."""
    if language == "python":
        try:
            body = ast.parse(code).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return any(isinstance(node, ast.FunctionDef) and node.name == entry_point for node in body)
    root, found = parser(language).parse(code.encode()).root_node, False
    nodes = [root]
    while nodes and not found:  # no recursion: a reply may be nested without end
        node = nodes.pop()
        found = node.type in ("function_definition", "method_declaration") and _name(node) == entry_point
        nodes += node.children
    return found and not root.has_error


def _name(node: Node) -> str:
    """Of a Java method, or of a C++ function within its pointers and references."""
    while inner := node.child_by_field_name("declarator") or node.child_by_field_name("name"):
        node = inner
    return (node.text or b"").decode(errors="replace")


def reply_records(asked: Sequence[Mapping], replies: Sequence[Reply], problems: Mapping[str, Problem]) -> list[dict]:
    """Attacked programs of what was asked (cell, task_id, sample, attack, solution), with the reply's key, served, finish and tokens, and
    lost: the program defined the function that is tested, the attacked one does not; repeated: the reply holds the program as it was."""
    made = []
    for record, reply in zip(asked, replies, strict=True):
        p = problems[record["task_id"]]
        solution = code_of(reply.text, p.language, p.entry_point)
        lost = holds(record["solution"], p.language, p.entry_point) and not holds(solution, p.language, p.entry_point)
        names = {k: record[k] for k in ("cell", "task_id", "sample", "attack")}
        told = {k: getattr(reply, k) for k in ("key", "served", "finish", "tokens_in", "tokens_out")}
        repeated = record["solution"].strip() in reply.text
        made.append({**names, **told, "solution": solution, "lost": lost, "repeated": repeated})
    return made


def cost_table(records: Iterable[Mapping], settings: ChatSettings) -> pd.DataFrame:
    """What each attack took, from `reply_records`. Programs are counted as often as they are attacked, tokens and cost once a distinct
    request; they are missing where the endpoint reports no tokens, or no prices are given."""
    rows = []
    for attack, group in pd.DataFrame(list(records)).groupby("attack", sort=False):
        once = group.drop_duplicates("key")
        used = [once[c].astype("Int64").sum(skipna=False) for c in ("tokens_in", "tokens_out")]
        tokens_in, tokens_out = (None if pd.isna(n) else int(n) for n in used)
        rows.append(
            {
                "Attack": attack,
                "Model": ", ".join(sorted(set(once.served))),
                "Programs": len(group),
                "Requests": len(once),
                "Function lost": int(group.lost.sum()),
                "Program repeated": int(group.repeated.sum()),
                "Cut off": int((group.finish == "length").sum()),
                "Tokens in": math.nan if tokens_in is None else tokens_in,
                "Tokens out": math.nan if tokens_out is None else tokens_out,
                "Cost": cost(tokens_in, tokens_out, settings),
            }
        )
    return pd.DataFrame(rows)
