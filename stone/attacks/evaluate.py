"""What attacks do to correctness and to detection. Human programs are attacked as well: positives and negatives stay alike."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd

from stone.attacks import attack
from stone.attacks.llm import PROMPTS
from stone.datasets import Problem
from stone.evaluation import by_problem, correctness_metrics, detection_metrics, of_cell
from stone.experiment import Cell
from stone.methods import METHODS
from stone.models import LoadedModel
from stone.scan import read_columns

UNTOUCHED = "none"


def programs(problems: Mapping[str, Problem], solutions: Iterable[Mapping]) -> list[Mapping]:
    """What is attacked: every human solution (cell "human") and every given one: cell, task_id, sample, solution."""
    human = [{"cell": "human", "task_id": p.task_id, "sample": 0, "solution": p.human_solution} for p in problems.values()]
    return [*human, *solutions]


def attacked_solutions(
    problems: Mapping[str, Problem], solutions: Iterable[Mapping], names: Sequence[str], replies: Iterable[Mapping] = ()
) -> list[dict]:
    """`programs` as they are and after each attack: with `attack`. replies : attacked programs of a language model's attacks."""
    written = {(r["attack"], r["cell"], r["task_id"], r["sample"]): r["solution"] for r in replies}
    made = []
    for record in programs(problems, solutions):
        p = problems[record["task_id"]]
        made.append({**record, "attack": UNTOUCHED})
        for name in names:
            if name in PROMPTS:
                code = written[name, record["cell"], record["task_id"], record["sample"]]
            else:
                code = attack(name, record["solution"], p.language, p.entry_point)
            made.append({**record, "attack": name, "solution": code})
    return made


def solution_texts(loaded: LoadedModel, solutions: Sequence[Mapping], cells: Sequence[Cell], progress=None) -> pd.DataFrame:
    """Whole programs as `stone.scan.detect_all` reads them, prompt included: an attack leaves no border between prompt and completion."""
    ids = loaded.tokenizer([s["solution"] for s in solutions], add_special_tokens=False)["input_ids"]
    frame = pd.DataFrame([{k: s[k] for k in ("cell", "task_id", "sample", "attack")} for s in solutions])
    frame = frame.assign(ids=ids, prompt_length=0, vocab_size=loaded.vocab_size)
    wanted = [c for c in cells if METHODS[c.method].reads]
    return frame.assign(**read_columns(loaded, ids, wanted, progress)) if wanted else frame


def attack_rows(
    cells: Sequence[Cell], verdicts: pd.DataFrame, detections: pd.DataFrame, resamples: int, seed: int = 0
) -> pd.DataFrame:
    """Metrics before ("none") and after each attack: columns method, gamma, delta, attack, metric, value, low, high, n.

    verdicts : cell, attack, task_id, sample, status; detections : method, gamma, delta, attack, source, task_id, sample, z.
    """
    rows = []
    for cell in cells:
        for name, found in of_cell(detections, cell).groupby("attack", sort=False):
            ran = verdicts[(verdicts.cell == cell.text.name) & (verdicts.attack == name)]
            passed = by_problem(ran.assign(passed=ran.status == "passed"), "passed").astype(bool)
            marked, human = by_problem(found[found.source == "marked"], "z"), by_problem(found[found.source == "human"], "z")[:, 0]
            right = {k: v for k, v in correctness_metrics(passed, resamples, seed).items() if k == "pass@1"}
            for metric, e in (right | detection_metrics(marked, human, resamples, seed)).items():
                rows.append((*cell.setting.values(), name, metric, e.value, e.low, e.high, e.n))
    frame = pd.DataFrame(rows, columns=["method", "gamma", "delta", "attack", "metric", "value", "low", "high", "n"])
    return frame.astype({"value": np.float64})
