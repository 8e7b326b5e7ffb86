"""Shards: the same completions for any number of them, nothing drawn twice, nothing finished lost."""

import pytest
import torch

from stone import WatermarkConfig, load_problems
from stone.generation import Decoding, generate
from stone.models import load_model
from stone.records import mend_journal, read_journal, write_cells
from stone.shards import draw_share, merge, share
from stone.watermark import Watermark

torch.set_num_threads(1)
MARKED = WatermarkConfig(method="stone", delta=2.0, language="cpp")
CELLS = {"none": None, "stone-g0.5-d2.0": MARKED, "stone-g0.5-d3.0": WatermarkConfig(method="stone", delta=3.0, language="cpp")}
DECODING = Decoding(max_new_tokens=24, batch_size=4)
PROBLEMS = load_problems("mini-cpp")[:4]


@pytest.fixture(scope="module")
def mini():
    return load_model("mini", dtype="float32", device="cpu")


def never():
    raise AssertionError("the model was loaded although nothing is new")


def drawn(load, folder, shard=1, shards=1, cells=CELLS, samples=2, seed=0, code="a"):
    folder.mkdir(exist_ok=True)
    return list(
        draw_share(
            load,
            cells,
            share([(cell, problem) for cell in cells for problem in PROBLEMS], shard, shards),
            samples,
            seed,
            DECODING,
            {"seed": seed, "code": code},
            folder / f"{shard}-of-{shards}.known.jsonl",
            folder / "log",
            "test",
        )
    )


def test_completions_files_are_the_same_bytes_for_any_number_of_shards(mini, tmp_path):
    files = []
    for shards in (1, 2, 3):
        folder = tmp_path / str(shards)
        parts = [drawn(lambda: mini, folder, k + 1, shards) for k in range(shards)]
        assert max(map(len, parts)) - min(map(len, parts)) <= 2
        write_cells(folder / "cells", merge(parts, list(CELLS), PROBLEMS, 2))
        files.append({path.name: path.read_bytes() for path in (folder / "cells").iterdir()})
    assert set(files[0]) == {f"{cell}.jsonl.gz" for cell in CELLS} and files[0] == files[1] == files[2]
    plain = merge(parts, ["none", "stone-g0.5-d2.0"], PROBLEMS, 2)
    mark = Watermark(MARKED, mini.tokenizer, vocab_size=mini.vocab_size)
    for cell, each in (("none", None), ("stone-g0.5-d2.0", mark)):
        assert plain[cell] == [c.to_record() for c in generate(mini, PROBLEMS, each, 2, 0, DECODING)]


@pytest.mark.parametrize("batches", [1, 2, 3])
def test_a_stopped_worker_loses_its_batch_only_and_another_number_of_shards_goes_on(mini, tmp_path, batches):
    whole = drawn(lambda: mini, tmp_path / "whole")
    drawn(lambda: mini, tmp_path / "stopped")
    journal = tmp_path / "stopped/1-of-1.known.jsonl"
    lines = journal.read_text().splitlines(keepends=True)
    journal.write_text("".join(lines[: 4 * batches]) + lines[4 * batches][:50])
    assert drawn(lambda: mini, tmp_path / "stopped") == whole
    assert len(list(read_journal(journal))) == len(lines)
    parts = [drawn(never, tmp_path / "stopped", k, 3) for k in (1, 2, 3)]
    assert merge(parts, list(CELLS), PROBLEMS, 2) == merge([whole], list(CELLS), PROBLEMS, 2)


def test_only_what_changed_is_drawn(mini, tmp_path):
    def journalled() -> int:
        return len(list(read_journal(tmp_path / "1-of-1.known.jsonl")))

    two = {name: CELLS[name] for name in ("none", "stone-g0.5-d2.0")}
    first = drawn(lambda: mini, tmp_path, cells=two)
    assert journalled() == 2 * 4 * 2 and drawn(never, tmp_path, cells=two) == first
    assert drawn(lambda: mini, tmp_path)[: len(first)] == first and journalled() == 3 * 4 * 2  # a new cell
    more = drawn(lambda: mini, tmp_path, cells=two, samples=3)  # a new sample
    assert [r for r in more if r["sample"] < 2] == first and journalled() == 3 * 4 * 2 + 2 * 4
    other = drawn(lambda: mini, tmp_path, cells=two, seed=1)  # a new seed
    assert journalled() == 3 * 4 * 2 + 2 * 4 + 2 * 4 * 2 and all(a["text"] != b["text"] for a, b in zip(first, other, strict=True))
    drawn(lambda: mini, tmp_path, cells=two, code="b")  # edited code
    assert journalled() == 3 * 4 * 2 + 2 * 4 + 2 * (2 * 4 * 2)


def test_a_missing_text_stops_the_merge():
    with pytest.raises(ValueError, match="lack 8 texts, the first being"):
        merge([[]], ["none"], PROBLEMS, 2)
    with pytest.raises(ValueError, match="shard is 3; it must be between 1 and 2"):
        share([], 3, 2)


def test_a_journal_is_mended(tmp_path):
    journal = tmp_path / "journal"
    mend_journal(journal)
    assert list(read_journal(journal)) == []
    journal.write_text('{"a": 1}\n{"a": 2')
    assert list(read_journal(journal)) == [{"a": 1}]
    mend_journal(journal)
    assert journal.read_text() == '{"a": 1}\n'
