"""The paper's printed numbers, transcribed and recomputed."""

from pathlib import Path

import pandas as pd
import pytest

from stone.published import Interval, published

FOLDER = Path(__file__).resolve().parents[2] / "config/published"


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return published(FOLDER)


def test_every_printed_stem_is_there_once(frame):
    counts = frame.groupby("Table").size()
    assert counts.to_dict() == {
        "codeip": 4, "main": 16, "stem_weights": 64, "llama_stem_weights": 32, "codeip_stem": 16, "stem_grid": 8, "unmarked": 8, "text": 3,
    }  # fmt: skip
    assert not frame.duplicated(["Table", "Model", "Dataset", "Method", "Quantity"]).any()


def test_what_differs_beyond_rounding(frame):
    odd = frame[frame["Beyond rounding"]]
    assert odd.groupby("Table").size().to_dict() == {"codeip_stem": 12, "stem_weights": 2, "text": 1}
    assert set(odd[odd.Table == "codeip_stem"].Quantity) == {
        f"STEM, weights {w}" for w in ("correctness", "detectability", "imperceptibility")
    }
    wrong = odd[odd.Table == "stem_weights"]
    assert set(zip(wrong.Dataset, wrong.Method, strict=True)) == {("HumanEval+", "EWD"), ("HumanEval+", "SWEET")}


def test_printed_numbers_are_intervals():
    assert Interval.printed("0.571").meets(Interval(0.5714, 0.5714, 0.5714))
    assert not Interval.printed("0.571").meets(Interval(0.5716, 0.5716, 0.5716))
    assert Interval.printed("86").low == 85.5


def test_a_slip_in_the_transcription_is_seen(tmp_path):
    for path in FOLDER.glob("*.csv"):
        (tmp_path / path.name).write_text(path.read_text().replace("mbppplus,stone,0.571,0.982", "mbppplus,stone,0.511,0.982"))
    assert published(tmp_path)["Beyond rounding"].sum() > 15
