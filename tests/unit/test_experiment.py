"""Configs: cells, defaults, and faults that are one line each."""

from pathlib import Path

import pytest
import yaml

from stone.experiment import Cell, marked_cells, parse_cell, source_digest, text_cells
from stone.settings import ConfigError, resolve

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
MINI = yaml.safe_load((ROOT / "config/config.yaml").read_text())


def test_cells_share_text():
    config = resolve(MINI, SCHEMA)
    assert [c.name for c in text_cells(config, "mini-cpp")] == [
        "none", "kgw-g0.5-d1.0", "sweet-g0.5-d1.0", "stone-g0.5-d1.0", "kgw-g0.5-d2.0", "sweet-g0.5-d2.0", "stone-g0.5-d2.0",
        "codeip-g0.5-d5.0",
    ]  # fmt: skip
    assert len(marked_cells(config, "mini-cpp")) == 9
    assert Cell("ewd", 0.5, 1).text == Cell("kgw", 0.5, 1.0) and Cell("stone", 0.25, 1).name == "stone-g0.25-d1.0"
    assert parse_cell(config, "mini-cpp", "ewd-g0.5-d2.0") == Cell("ewd", 0.5, 2.0)
    with pytest.raises(ValueError, match=r"stone-g0\.7-d2\.0"):
        parse_cell(config, "mini-cpp", "stone-g0.7-d2.0")


def test_sweeps_and_points_of_one_dataset():
    config = resolve(yaml.safe_load((ROOT / "config/paper.yaml").read_text()), SCHEMA)
    assert {(c.gamma, c.delta) for c in marked_cells(config, "mbppplus")} == {(0.5, 1.0), (0.5, 5.0)}
    cells = marked_cells(config, "humanevalplus")
    assert len(cells) == len(set(cells)) == 4 + 2 * 4 * 5 - 2 + 1
    assert config["watermark"]["key"] == 15485863 and config["models"]["llama-3.1-8b"]["device"] == "auto"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gama": 0.5}, ["gama", "0.5", "allowed"]),
        ({"points": {"default": [{"gamma": 1.0, "delta": 1}]}}, ["points.default.0.gamma", "1.0", "less than 1"]),
        ({"points": {"default": [{"gamma": 0.5, "delta": -1}]}}, ["points.default.0.delta", "-1", "at least 0"]),
        ({"methods": ["kgw", "stoned"]}, ["methods.1", "stoned", "one of kgw, ewd, sweet, stone"]),
        ({"datasets": ["mini-rust"]}, ["datasets.0", "mini-rust", "one of humanevalplus"]),
        ({"watermark": {"contxt": 1}}, ["watermark.contxt", "did you mean 'context'"]),
        ({"samples": "five"}, ["samples", "'five'", "integer"]),
        (
            {"methods": ["watermod"], "points": {"default": [{"gamma": 0.25, "delta": 1}]}},
            ["gamma", "0.25", "watermod", "must be 0.5"],
        ),
        ({"sweeps": [{"dataset": "hep-cpp", "methods": ["kgw"], "gammas": [0.5], "deltas": [1]}]}, ["sweeps", "hep-cpp"]),
    ],
)
def test_faults_name_key_value_and_what_is_allowed(change, words):
    with pytest.raises(ConfigError) as caught:
        resolve({**MINI, **change}, SCHEMA)
    message = str(caught.value)
    assert "\n" not in message and all(word in message for word in words), message


def test_digest_sees_content_only(tmp_path):
    (tmp_path / "a.py").write_text("x = 1\n")
    before = source_digest(tmp_path, ["a.py"])
    (tmp_path / "a.py").touch()
    assert source_digest(tmp_path, ["a.py"]) == before
    (tmp_path / "a.py").write_text("x = 2\n")
    assert source_digest(tmp_path, ["a.py"]) != before
