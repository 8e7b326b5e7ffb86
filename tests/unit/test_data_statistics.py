"""Table 1 of the paper from the real benchmarks and the real Qwen2.5 tokenizer, to the digit."""

from pathlib import Path

import pandas as pd
import pytest

from stone import load_problems
from stone.tables import data_statistics

ROOT = Path(__file__).resolve().parents[2]
PAPER = {  # max, min, mean, std of tokens (paper, table of data statistics; MBPP+ there counts v0.2.0)
    "mbppplus": (341, 11, 40.25, 34.91),
    "humanevalplus": (558, 43, 188.28, 87.32),
    "hep-cpp": (697, 42, 223.10, 107.57),
    "hep-java": (660, 56, 237.36, 105.09),
}


@pytest.mark.parametrize("name", PAPER)
def test_token_statistics_equal_the_papers(name, data_folder, qwen_tokenizer):
    problems = {name: load_problems(name, source=data_folder)}
    printed = pd.read_csv(ROOT / "config/published/data_statistics.csv")
    row, paper = data_statistics(problems, {"qwen": qwen_tokenizer}, {"mbppplus": "v0.2.0"}, printed).to_dict("records")
    assert (paper["Max"], paper["Min"], paper["Mean"], paper["Std"]) == PAPER[name]
    assert (row["Max"], row["Min"], round(row["Mean"], 2), round(row["Std"], 2)) == PAPER[name]


def test_versions_and_damaged_files(data_folder, tmp_path):
    assert [len(load_problems("mbppplus", data_folder, v)) for v in ("v0.1.0", "v0.2.0")] == [399, 378]
    raw = (data_folder / "HumanEvalPlus-v0.1.10.jsonl.gz").read_bytes()
    cases = {
        "cut.jsonl.gz": raw[:1000],
        "empty.jsonl": b"",
        "other.jsonl": b'{"a": 1}\n',
        "text.jsonl": b"no json\n",
        "bytes.jsonl": b"\xff\xfe",
    }
    for name, content in cases.items():
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ValueError) as caught:
            load_problems("humanevalplus", source=tmp_path / name)
        assert name in str(caught.value) and "\n" not in str(caught.value)
    changed = tmp_path / "HumanEvalPlus-v0.1.10.jsonl"
    changed.write_text('{"task_id": "x", "prompt": "", "entry_point": "f", "canonical_solution": ""}\n')
    with pytest.raises(ValueError, match="damaged"):
        load_problems("humanevalplus", source=changed)
    for name, version in (("humaneval", None), ("mbppplus", "v9")):
        with pytest.raises(ValueError, match="choose one of"):
            load_problems(name, version=version)
    with pytest.raises(ValueError, match=r"holds no MbppPlus-v0\.2\.0"):
        load_problems("mbppplus", source=tmp_path)


def test_a_humanevalpack_file_that_was_cut_between_lines_warns(tmp_path):
    record = '{"task_id": "CPP/0", "prompt": "", "entry_point": "f", "canonical_solution": "", "test": ""}\n'
    (tmp_path / "cpp.jsonl").write_text(record * 3)
    with pytest.warns(UserWarning, match="holds 3 of HumanEvalPack's 164"):
        assert len(load_problems("hep-cpp", source=tmp_path / "cpp.jsonl")) == 3
