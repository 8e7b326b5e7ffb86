"""The key-value cache with room: the same tensors and texts as transformers' own, and only where it may stand in for it."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers import (
    AutoModelForCausalLM,
    FalconH1Config,
    Gemma2Config,
    GenerationConfig,
    Lfm2Config,
    MambaConfig,
    MiniMaxConfig,
    Qwen2Config,
)
from transformers.cache_utils import DynamicLayer

from stone import load_problems
from stone.generation import Decoding, generate
from stone.kv_cache import RoomyLayer, roomy_cache
from stone.models import LoadedModel, load_model

CHANGES = st.lists(
    st.one_of(
        st.tuples(st.just("update"), st.integers(1, 90)),
        st.tuples(st.just("crop"), st.integers(0, 3)),
        st.tuples(st.just("batch_select_indices"), st.lists(st.integers(0, 1), min_size=2, max_size=4)),
        st.tuples(st.just("reset"), st.none()),
    ),
    max_size=8,
)
MIXED = {"head_dim": 8, "mamba_d_ssm": 32, "mamba_n_heads": 2, "mamba_d_head": 16, "mamba_d_state": 8}
SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 32, "vocab_size": 40}  # fmt: skip


@given(CHANGES)
@settings(deadline=None)
def test_it_holds_what_transformers_own_layer_holds(changes):
    ours, theirs = RoomyLayer(), DynamicLayer()
    torch.manual_seed(0)
    rows = 3
    for name, value in [("update", 5), *changes, ("update", 1)]:
        if name == "update":
            states = torch.randn(2, rows, 2, value, 4)
            for mine, other in zip(ours.update(*states), theirs.update(*states), strict=True):
                assert torch.equal(mine, other)
        elif name == "batch_select_indices" and theirs.get_seq_length():
            rows = len(value)
            ours.batch_select_indices(torch.tensor(value))
            theirs.batch_select_indices(torch.tensor(value))
        elif name == "crop" and value < theirs.get_seq_length():
            ours.crop(-value)
            theirs.crop(-value)
        elif name == "reset":
            ours.reset()
            theirs.reset()
        assert ours.get_seq_length() == theirs.get_seq_length()


def test_the_same_texts_as_with_transformers_own(monkeypatch):
    mini, problems = load_model("mini", dtype="float32", device="cpu"), load_problems("mini-cpp")[:6]
    leaving = Decoding(max_new_tokens=100)
    full = Decoding(140, stop_at_function_end=False, min_length=10**6)  # over the end of the first buffers
    ours = [generate(mini, problems, None, 2, decoding=decoding) for decoding in (leaving, full)]
    monkeypatch.setattr("stone.generation.roomy_cache", lambda model: None)
    assert [generate(mini, problems, None, 2, decoding=decoding) for decoding in (leaving, full)] == ours
    assert {len(c.token_ids) for c in ours[1]} == {140}


def test_models_that_do_not_keep_all_tokens_get_transformers_own():
    def cache_of(config):
        return roomy_cache(AutoModelForCausalLM.from_config(config))

    assert {type(layer) for layer in cache_of(Qwen2Config(**SMALL)).layers} == {RoomyLayer}
    assert cache_of(Gemma2Config(**SMALL, head_dim=8)) is None
    assert cache_of(MambaConfig(hidden_size=16, num_hidden_layers=2, vocab_size=40)) is None
    assert cache_of(MiniMaxConfig(**SMALL, head_dim=8, layer_types=["full_attention"] * 2, num_local_experts=2)) is None


@pytest.mark.parametrize("config", [Lfm2Config(**SMALL, layer_types=["conv", "full_attention"]), FalconH1Config(**SMALL, **MIXED)])
def test_rows_leave_models_that_hold_more_than_keys_and_values(config):
    mini, problems = load_model("mini", dtype="float32", device="cpu"), load_problems("mini-cpp")[:4]
    torch.manual_seed(0)
    config.vocab_size = mini.vocab_size
    model = AutoModelForCausalLM.from_config(config).eval()
    ends = list(range(0, mini.vocab_size, 20))  # so many that rows end soon, each elsewhere
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=0)
    loaded = LoadedModel("mixed", model, mini.tokenizer, mini.vocab_size, plain_head=False)
    together, alone = (generate(loaded, problems, None, 3, decoding=Decoding(40, batch_size=size)) for size in (12, 1))
    assert together == alone and len({len(c.token_ids) for c in together}) > 3
