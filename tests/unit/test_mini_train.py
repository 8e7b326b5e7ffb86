"""The training recipe on a tiny model: it learns, saves what loads, and repeats."""

import torch

from stone.mini.train import JUDGE, Recipe, train
from stone.models import load_model

torch.set_num_threads(1)
TINY = Recipe("tiny", "qwen2", 1, 400, 32, 1, 2, 64, steps=18, batch_tokens=1024)


def test_training_learns_saves_and_repeats(tmp_path):
    losses = [train(tmp_path / name, (TINY,), device="cpu")["tiny"] for name in ("a", "b")]
    assert losses[0] == losses[1] < 5.9  # ln 400 = 5.99 is ignorance
    loaded = load_model(str(tmp_path / "a" / "tiny"), dtype="float32", device="cpu")
    assert loaded.vocab_size == 400 and loaded.tokenizer.eos_token_id == 0
    assert loaded.model.config.model_type == "qwen2"


def test_the_judge_is_another_architecture():
    judge = load_model("mini-judge", dtype="float32", device="cpu")
    coder = load_model("mini", dtype="float32", device="cpu")
    assert JUDGE.architecture == judge.model.config.model_type == "starcoder2" != coder.model.config.model_type
    assert judge.vocab_size != coder.vocab_size
    assert sum(p.numel() for m in (judge, coder) for p in m.model.parameters()) < 6e6
    assert judge.tokenizer.get_vocab() != coder.tokenizer.get_vocab()
