"""What the newer tables and figures are made of: paired differences, timing, the motivating example."""

import numpy as np
import pandas as pd

from stone import Watermark, WatermarkConfig, load_problems
from stone.evaluation import paired_rows
from stone.experiment import Cell
from stone.figures import motivation
from stone.models import load_model
from stone.motivation import broken_pair
from stone.tables import timing
from stone.timing import time_methods
from stone.tokenview import KINDS, TokenView

STONE, KGW = Cell("stone", 0.5, 2.0), Cell("kgw", 0.5, 2.0)


def verdicts_of(**passed: str) -> pd.DataFrame:
    """One letter a task (p: passed) for each cell."""
    names = {"none": "none", "kgw": KGW.name, "stone": STONE.name}
    return pd.DataFrame(
        [
            {"cell": names[cell], "task_id": f"t{i}", "sample": 0, "status": "passed" if letter == "p" else "failed"}
            for cell, letters in passed.items()
            for i, letter in enumerate(letters)
        ]
    )


def test_paired_differences_are_those_of_the_two_methods():
    verdicts = verdicts_of(none="pppp", kgw="pfff", stone="pppf")
    rows = [
        {"method": m, "gamma": 0.5, "delta": 2.0, "source": s, "task_id": f"t{i}", "sample": 0, "z": z}
        for m, s, values in (
            ("kgw", "marked", [1, 1, 1, 1]),
            ("kgw", "human", [0, 0, 2, 2]),
            ("stone", "marked", [3, 3, 3, 3]),
            ("stone", "human", [0, 0, 2, 2]),
        )
        for i, z in enumerate(values)
    ]
    found = paired_rows([KGW, STONE], verdicts, pd.DataFrame(rows), resamples=200).set_index("metric")
    assert set(found.method) == {"kgw"}
    assert found.loc["pass@1"].value == -0.5 and found.loc["auroc"].value == -0.5
    assert (found.low <= found.value).all() and (found.value <= found.high).all()
    assert paired_rows([KGW], verdicts, pd.DataFrame(rows)).empty


def test_the_example_passes_unmarked_and_with_stone_and_breaks_with_the_baseline():
    assert broken_pair(verdicts_of(none="ppf", kgw="pff", stone="ppp"), [KGW], STONE) == (KGW, "t1", 0)
    assert broken_pair(verdicts_of(none="pp", kgw="pp", stone="pp"), [KGW], STONE) is None


def test_the_example_is_drawn_to_the_letter_and_wrapped():
    tokens = [TokenView(text, kind, "", "", 0.0, 0.0) for text, kind in zip(["ab\n", "cdefgh", "", "i"], KINDS, strict=True)]
    (panel,) = motivation([("title", tokens)], columns=4).axes
    letters = {(round(t.get_position()[0] - 0.5), round(t.get_position()[1] - 0.5)): t.get_text() for t in panel.texts}
    assert letters == {(0, 0): "a", (1, 0): "b", **{(i, 1): c for i, c in enumerate("cdef")}, (0, 2): "g", (1, 2): "h", (2, 2): "i"}
    assert len(motivation([]).axes[0].texts) == 1  # says that there is none


def test_timing_counts_the_same_tokens_for_every_method():
    mini = load_model("mini")
    marks = {"none": None, **{m: Watermark(WatermarkConfig(method=m), mini.tokenizer, mini.vocab_size) for m in ("kgw", "sweet")}}
    times = time_methods(mini, load_problems("mini-python")[:2], marks, tokens=6, repeats=2)
    assert times.groupby("method").size().to_dict() == {"none": 2, "kgw": 2, "sweet": 2}
    assert (times.insertion > 0).all() and times[times.method == "none"].detection.isna().all()
    printed = pd.DataFrame(
        {"model": ["mini"], "dataset": ["mbppplus"], "method": ["kgw"], "insertion (s)": [3320], "detection (s)": [12.9]}
    )
    table = timing(times.assign(model="mini", dataset="mbppplus"), printed)
    assert table["Paper: insertion (s)"].tolist()[1] == 3320 and np.isnan(table["Paper: insertion (s)"].tolist()[0])
