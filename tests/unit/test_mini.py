"""The embedded benchmark and the corpus: complete, right, and held apart."""

import ast
import copy
import json
import random
import re
from importlib.resources import files

import pytest

from stone import load_problems
from stone.mini.synthesis import documents
from stone.mini.synthesis.generator import arguments, expected
from stone.mini.synthesis.tasks import TASKS

LANGUAGES = ("python", "cpp", "java")


def records(language):
    text = (files("stone.mini") / "problems" / f"{language}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_fifty_parallel_problems():
    slugs = [[r["slug"] for r in records(language)] for language in LANGUAGES]
    assert slugs[0] == slugs[1] == slugs[2] and len(set(slugs[0])) == 50
    ids = [p.task_id for language in LANGUAGES for p in load_problems(f"mini-{language}")]
    assert len(set(ids)) == 150
    for p in load_problems("mini-python"):
        ast.parse(p.human_solution)
        assert p.test.count("assert candidate(") >= 8


def test_corpus_is_a_function_of_the_seed_and_right_in_python():
    first = list(documents("python", 102, seed=3))
    assert first == list(documents("python", 102, seed=3)) != list(documents("python", 102, seed=4))
    for i, document in enumerate(first):
        task, scope = TASKS[document.slug], {}
        exec(document.prompt + document.solution, scope)  # our own text
        name = re.search(r"def (\w+)\(", document.prompt).group(1)
        values = arguments(task, random.Random(i))
        assert scope[name](*copy.deepcopy(values)) == expected(task, values), document


@pytest.mark.parametrize("language", LANGUAGES)
def test_benchmark_is_held_out_of_the_corpus(language):
    corpus = [re.sub(r"\s+", " ", d.prompt + d.solution) for d in documents(language, 6000, seed=1)]
    text = "\n".join(corpus)
    for record in records(language):
        sentence = re.search(r"(?:\"\"\"|/\*\n|/\*\*\n\s*)(.+)", record["prompt"]).group(1).strip()
        assert len(sentence) > 20 and sentence not in text, record["task_id"]
        body = re.sub(r"\s+", " ", record["canonical_solution"]).strip()
        assert body not in text, record["task_id"]
