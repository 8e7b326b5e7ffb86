"""The same settings under several keys: what is written and read, and how the keys are pooled."""

import pandas as pd
import pytest

from stone import WatermarkConfig
from stone.datasets import load_problems
from stone.experiment import Cell
from stone.generation import Decoding
from stone.models import load_model
from stone.replication import marked_texts, replicated_rows

CELLS = [Cell("stone", 0.5, 4.0), Cell("stone_plus", 0.5, 4.0), Cell("sweet", 0.5, 4.0)]


@pytest.fixture(scope="module")
def found():
    """Verdicts (made up: STONE+ passes everywhere, the others on the first problem under key 1) and real detections of two problems."""
    loaded, problems = load_model("mini"), load_problems("mini-python")[:2]
    verdicts, detections = [], []
    for key in (1, 2):
        configs = {c: WatermarkConfig(method=c.method, gamma=0.5, delta=4.0, key=key) for c in CELLS}
        for cell, records, scores in marked_texts(loaded, problems, configs, 2, 0, Decoding(max_new_tokens=40), "completion"):
            detections.append(scores.assign(key=key))
            for r in records:
                right = cell.method == "stone_plus" or (key == 1 and r["task_id"] == problems[0].task_id)
                status = "passed" if right else "failed"
                verdicts.append({"cell": cell.name, "key": key, "task_id": r["task_id"], "sample": r["sample"], "status": status})
    return pd.DataFrame(verdicts), pd.concat(detections, ignore_index=True)


def test_each_key_marks_anew_and_its_own_detector_sees_it(found):
    _, detections = found
    marked = detections[detections.source == "marked"]
    assert marked.groupby(["method", "key"]).size().eq(4).all() and marked.groupby("key").z.mean().gt(1).all()
    assert set(detections.source) == {"marked", "human"}


def test_keys_are_pooled_and_pairs_are_paired(found):
    rows = replicated_rows(CELLS, *found, resamples=20)
    assert set(rows.method) == {"stone_plus", "sweet"} and set(rows.key) == {"1", "2", "all"}
    right = rows[(rows.metric == "pass@1") & (rows.method == "stone_plus")].set_index("key").value
    assert right.to_dict() == {"1": 0.5, "2": 1.0, "all": 0.75}
    area = rows[(rows.metric == "auroc") & (rows.method == "sweet")].set_index("key").value
    assert area["all"] == pytest.approx((area["1"] + area["2"]) / 2)
    same = rows[(rows.metric == "pass@1") & (rows.method == "sweet")]
    assert (same.value == 0).all() and (same.low == 0).all() and (same.n == 2).all()


def test_without_the_reference_there_is_nothing_to_compare(found):
    assert replicated_rows(CELLS[1:], *found).empty
