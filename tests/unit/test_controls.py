"""Flips and null controls: what they must find where the truth is known."""

import numpy as np
import pandas as pd
import pytest

from stone import Watermark, WatermarkConfig, load_problems
from stone.controls import null_controls, other_keys
from stone.experiment import Cell
from stone.flips import flip_table, flips
from stone.generation import Decoding, generate
from stone.models import load_model
from stone.scan import tokenise

DECODING = Decoding(max_new_tokens=60)
PROBLEMS = load_problems("mini-python")[:6]


@pytest.fixture(scope="module")
def mini():
    return load_model("mini")


def flips_of(mini, method: str | None, delta: float) -> pd.DataFrame:
    config = WatermarkConfig(method=method or "kgw", delta=delta)
    mark = Watermark(config, mini.tokenizer, mini.vocab_size) if method else None
    written = [c.to_record() for c in generate(mini, PROBLEMS, mark, 2, 0, DECODING)]
    texts = tokenise(mini.tokenizer, mini.vocab_size, PROBLEMS, {"cell": written})
    found = flips(mini, PROBLEMS, texts[texts.cell == "cell"].reset_index(drop=True), 0, DECODING, config.match)
    return found.groupby("category")[["tokens", "flips"]].sum()


@pytest.mark.parametrize(("method", "delta"), [(None, 0.0), ("kgw", 0.0), ("stone_plus", 0.0)])
def test_text_without_a_bias_has_no_flip(mini, method, delta):
    found = flips_of(mini, method, delta)
    assert found.tokens.sum() > 200 and found.flips.sum() == 0


def test_kgw_flips_syntax_too_and_stone_plus_never_does(mini):
    """A syntax position of STONE+ is never changed by the mark, given the same prefix; STONE's independent candidate lets some slip."""
    kgw, stone, plus = (flips_of(mini, method, 4.0) for method in ("kgw", "stone", "stone_plus"))
    syntax = [c for c in kgw.index if c != "etc"]
    assert kgw.loc[syntax].flips.sum() > 0
    assert plus.flips.drop("etc").sum() == 0 and plus.loc["etc"].flips > 10
    rate = {name: f.flips.drop("etc").sum() / f.tokens.drop("etc").sum() for name, f in (("kgw", kgw), ("stone", stone))}
    assert rate["stone"] < rate["kgw"]


def test_the_table_compares_programs_with_a_flip_to_those_without():
    found = pd.DataFrame(
        {"cell": "c", "task_id": ["a", "b", "d", "e"], "sample": 0, "category": "operator", "tokens": 5, "flips": [1, 2, 0, 1]}
    )
    status = {"none": "pppf", "c": "pfpf"}
    verdicts = pd.DataFrame(
        [
            {"cell": cell, "task_id": task, "sample": 0, "status": "passed" if letter == "p" else "failed"}
            for cell, letters in status.items()
            for task, letter in zip("abde", letters, strict=True)
        ]
    )
    row = flip_table(found, verdicts).iloc[0]
    assert row.Tokens == 20 and row.Flips == 4 and row["Flipped (%)"] == 20
    # Of a, b, d (whose twins pass) a and b have a flip, and b broke; e's twin fails, so e says nothing.
    assert (row["Programs with"], row["Broken (%) with"], row["Programs without"], row["Broken (%) without"]) == (2, 50, 1, 0)


def test_controls_of_random_text_are_null(mini):
    """Text of random ids carries no mark: AUROC 0.5 within its interval, about 1 % below p = 0.01."""
    draw = np.random.default_rng(0)
    rows = [
        {
            "cell": cell,
            "task_id": f"{cell}{i}",
            "sample": 0,
            "vocab_size": 2048,
            "prompt_length": 0,
            "ids": draw.integers(0, 2048, 120),
        }
        for cell in ("human", "none", "kgw-g0.5-d2.0")
        for i in range(30)
    ]
    config = WatermarkConfig(method="kgw", delta=2.0)
    found = null_controls(config, Cell("kgw", 0.5, 2.0), mini.tokenizer, pd.DataFrame(rows), "completion", "mini-python", keys=10)
    table = found.set_index("Control")
    assert list(table.index) == ["Human code", "Delta 0", "Wrong key"] and (table.Keys == 10).all() and (table.Texts == 30).all()
    assert (table.loc[["Delta 0", "Wrong key"], "AUROC"] - 0.5).abs().max() < 0.05
    assert table["FPR at p < 0.01"].max() <= 0.03 and table["FPR distinct"].max() <= 0.03


def test_repeats_inflate_the_false_positive_rate_and_distinct_scoring_does_not(mini):
    """The same ten tokens over and over: each key finds them all green or red together."""
    block = np.random.default_rng(1).integers(0, 2048, 10)
    rows = [
        {
            "cell": cell,
            "task_id": f"{cell}{i}",
            "sample": 0,
            "vocab_size": 2048,
            "prompt_length": 0,
            "ids": np.tile(block + i, 12) % 2048,
        }
        for cell in ("human", "none")
        for i in range(20)
    ]
    config = WatermarkConfig(method="kgw", delta=2.0)
    found = null_controls(config, Cell("kgw", 0.5, 2.0), mini.tokenizer, pd.DataFrame(rows), "completion", "mini-python", keys=10)
    assert (found["FPR at p < 0.01"] > 0.1).all() and (found["FPR distinct"] < 0.03).all()


def test_other_keys_mark_in_other_ways(mini):
    config = WatermarkConfig(method="codeip", key=3, message_bits=3)
    keys = other_keys(config, mini.tokenizer, mini.vocab_size, 20, 0)
    assert sorted(key % 8 for key in keys) == [0, 1, 2, 4, 5, 6, 7]
    assert len(set(other_keys(WatermarkConfig(), mini.tokenizer, mini.vocab_size, 20, 0))) == 20
