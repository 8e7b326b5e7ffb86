"""CodeIP: its message bits, its type predictor, insertion and extraction."""

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stone import Watermark, WatermarkConfig
from stone.corpus import CorpusError, programs
from stone.message import MessagePartition, extract, message_bits, read_messages, wang_hash
from stone.models import load_tokenizer
from stone.sampling import KeyedSampler
from stone.type_predictor import (
    TYPES,
    Recipe,
    load_predictor,
    save_predictor,
    train_predictor,
    type_codes,
    types_of_ids,
)

V, BITS = 600, 8


def wang_by_the_book(key: int) -> int:
    """Thomas Wang's mixer as published, on unbounded integers cut to 64 bits."""
    cut = 2**64 - 1
    key = (~key + (key << 21)) & cut
    key ^= key >> 24
    key = (key + (key << 3) + (key << 8)) & cut
    key ^= key >> 14
    key = (key + (key << 2) + (key << 4)) & cut
    key ^= key >> 28
    return (key + (key << 31)) & cut


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1))
def test_mixer_is_wangs_on_arrays_and_tensors(values):
    array = np.array(values, dtype=np.uint64)
    expected = [wang_by_the_book(v) for v in values]
    assert wang_hash(array).tolist() == expected
    assert wang_hash(torch.from_numpy(array.view(np.int64))).numpy().view(np.uint64).tolist() == expected


@given(st.integers(0, 2**17), st.integers(0, 2**17), st.integers(0, 2**20 - 1))
def test_bit_of_one_candidate(previous, token, message):
    context = wang_by_the_book(wang_by_the_book(previous) + 42) % 2**12
    seed = wang_by_the_book(context * 2**20 + message)
    expected = wang_by_the_book((seed * 100_000 + token) % 2**64) % 2
    found = message_bits(*(np.array([x], dtype=np.uint64) for x in (previous, token, message)), 20)
    assert found.tolist() == [bool(expected)]
    assert message_bits(*(torch.tensor([x]) for x in (previous, token, message)), 20).tolist() == [bool(expected)]


def test_bits_are_fair():
    tokens = np.arange(20_000)
    share = MessagePartition(5, 20, 20_000).is_green(tokens[::-1], tokens).mean()
    assert abs(share - 0.5) < 4 * 0.5 / np.sqrt(20_000)


@pytest.fixture(scope="module")
def tokenizer():
    return load_tokenizer("mini")


@pytest.fixture(scope="module")
def predictor():
    return train_predictor(programs("mini", "python", 60), "python", Recipe(steps=60))


def codeip(tokenizer, predictor=None, **settings) -> Watermark:
    config = WatermarkConfig(**{"method": "codeip", "delta": 5.0, "message_bits": BITS, **settings})
    return Watermark(config, tokenizer, vocab_size=2048, type_predictor=predictor)


def written(mark, n, seed=0) -> list[int]:
    """n tokens from random logits through the mark's processor."""
    sampler = KeyedSampler(seed, [7], 1, top_k=20)
    processor, ids = mark.processor(seed, [7], 1, sampler), torch.tensor([[3]])
    noise = torch.Generator().manual_seed(seed)
    for _ in range(n):
        scores = processor(ids, torch.randn(1, 2048, generator=noise))
        ids = torch.cat([ids, sampler(ids, scores).argmax(dim=-1, keepdim=True)], dim=1)
    return ids[0].tolist()


def test_only_top_candidates_carry_bits(tokenizer):
    mark, scores = codeip(tokenizer), torch.randn(3, 2048)
    previous = torch.tensor([[1, 5], [2, 6], [3, 7]])
    out = mark.processor(sampler=KeyedSampler(0, top_k=10))(previous, scores)
    top = scores.topk(10, dim=-1).indices
    for row in range(3):
        green = mark.partition.is_green(np.full(10, previous[row, 1]), top[row].numpy())
        expected = scores[row].clone()
        expected[top[row][torch.from_numpy(green)]] += 5.0
        assert torch.equal(out[row], expected)


def test_the_predicted_type_is_favoured(tokenizer, predictor):
    model, _ = predictor
    mark, scores = codeip(tokenizer, model, type_bias=3.0, delta=0.0), torch.randn(2, 2048)
    texts = ["def f(a, b):\n    return", "for i in range"]
    ids = tokenizer(texts, padding=True, return_tensors="pt")["input_ids"]
    change = mark.processor()(ids, scores) - scores
    kinds = types_of_ids(tokenizer, "python", 2048)
    for row, kind in zip(change, model.next_types(texts), strict=True):
        assert torch.allclose(row, 3.0 * torch.from_numpy(kinds == int(kind)).float(), atol=1e-6)
        assert 0 < (row > 1).sum() < 2048


def test_message_is_read_and_text_detected(tokenizer):
    mark = codeip(tokenizer, key=2**BITS * 3 + 77)
    ids = written(mark, 80)
    found = extract(ids, BITS)
    assert (found.message, found.tokens) == (77, 80) and found.confidence > 5
    assert mark.detect(ids).p_value < 1e-6
    others = [codeip(tokenizer, key=k).detect(ids).z for k in range(60)]
    assert abs(np.mean(others)) < 0.6 and 0.6 < np.std(others) < 1.4


def test_readings_of_many_texts(tokenizer):
    mark = codeip(tokenizer, key=9)
    texts = pd.DataFrame(
        [("a", 0, 1, written(mark, 60)), ("a", 1, 1, written(mark, 60, seed=1)), ("b", 0, 3, [1, 2, 3])],
        columns=["task_id", "sample", "prompt_length", "ids"],
    )
    found = read_messages(mark.partition, texts)
    assert read_messages(mark.partition, texts, distinct=True).tokens.tolist() <= found.tokens.tolist()
    assert found.right.tolist() == [True, True, False]
    assert found.bit_accuracy.tolist() == [1.0, 1.0, 0.5]


def test_predictor_learns_and_comes_back(predictor, tmp_path):
    model, accuracy = predictor
    codes = np.concatenate([type_codes(text, "python") for text in programs("mini", "python", 60)])
    assert accuracy > np.bincount(codes).max() / len(codes) + 0.1
    save_predictor(tmp_path / "p.safetensors", model, Recipe(), accuracy)
    again = load_predictor(tmp_path / "p.safetensors")
    texts = ["", "def f(x):\n    ", "return x"]
    assert again.language == "python"
    assert again.next_types(texts).tolist() == model.next_types(texts).tolist()
    assert again.next_types(texts)[0] == -1
    assert again.next_types(texts[1:2]).tolist() == again.next_types(texts)[1:2].tolist()  # not by its batch


def test_types_of_a_program():
    assert [TYPES[c] for c in type_codes("return x", "python")] == ["Token.Keyword", "Token.Text", "Token.Name"]
    assert "Token.Text.Whitespace" in {TYPES[c] for c in type_codes("\n\n", "java")}
    assert TYPES[type_codes("#include <vector>\n", "cpp")[0]] == "Token.Comment.Preproc"


def test_corpora_of_your_own(tmp_path):
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.cpp").write_text("int f() { return 1; }")
    (tmp_path / "src/b.py").write_text("x = 1")
    assert programs(str(tmp_path), "cpp", 5) == ["int f() { return 1; }"]
    pd.DataFrame({"whole_func_string": ["def a(): pass", "def b(): pass"]}).to_parquet(tmp_path / "x.parquet")
    assert programs(str(tmp_path / "x.parquet"), "python", 1) == ["def a(): pass"]
    pd.DataFrame({"odd": [1]}).to_parquet(tmp_path / "y.parquet")
    for source, language, words in (
        (str(tmp_path), "java", [".java"]),
        (str(tmp_path / "y.parquet"), "java", ["odd", "whole_func_string"]),
        ("code_search_net", "cpp", ["CodeSearchNet", "cpp", "type_predictor.corpora.cpp"]),
    ):
        with pytest.raises(CorpusError) as error:
            programs(source, language, 3)
        assert all(word in str(error.value) for word in words) and "\n" not in str(error.value)


def test_errors_name_what_is_allowed(tokenizer):
    for settings, words in (
        ({"gamma": 0.25}, ["gamma", "0.25", "0.5"]),
        ({"context": 0}, ["context", "0", "1"]),
        ({"message_bits": 30}, ["message_bits", "30", "24"]),
        ({"type_bias": -1.0}, ["type_bias", "-1.0"]),
    ):
        with pytest.raises(ValueError) as error:
            codeip(tokenizer, **settings)
        assert all(word in str(error.value) for word in words)
    with pytest.raises(ValueError, match="type_predictor"):
        codeip(tokenizer, type_bias=3.0).processor()
    with pytest.raises(ValueError, match="lexemes"):
        train_predictor(["x = 1"], "python")
    with pytest.raises(ValueError, match="pair of tokens"):
        extract([5], BITS)
