"""WaterMod: ranks at insertion are the ranks at detection, and half of all tokens are green without the mark."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from stone import Watermark, WatermarkConfig, load_problems
from stone.entropy import of_tokens, rank_of, ranks, token_entropies
from stone.generation import Decoding, generate
from stone.models import load_model, prompt_ids

CONFIG = WatermarkConfig(method="watermod", delta=2.0)


@pytest.fixture(scope="module")
def mini():
    return load_model("mini")


def test_ranks_by_hand():
    logits = torch.tensor([[0.5, 2.0, 0.5, -torch.inf, 3.0]])
    assert ranks(logits).tolist() == [[2, 1, 3, 4, 0]]  # the tie of tokens 0 and 2 goes by id
    assert rank_of(logits.expand(5, 5), torch.arange(5)).tolist() == [2, 1, 3, 4, 0]


@given(st.lists(st.lists(st.sampled_from([0.0, 0.5, 1.0, -2.0]), min_size=6, max_size=6), min_size=1, max_size=4))
def test_a_tokens_rank_is_its_place_in_the_order(rows):
    logits = torch.tensor(rows)
    one_by_one = torch.stack([rank_of(logits, torch.full((len(rows),), t)) for t in range(6)], dim=-1)
    assert (ranks(logits) == one_by_one).all() and (ranks(logits).sort(dim=-1).values == torch.arange(6)).all()


def test_the_two_best_tokens_differ_in_colour_and_every_second_rank_is_green(mini):
    mark = Watermark(CONFIG, mini.tokenizer, mini.vocab_size)
    scores = torch.randn(50, mini.vocab_size, generator=torch.Generator().manual_seed(0))
    previous = torch.arange(50)[:, None]
    green = (mark.processor()(previous, scores) - scores) > 1
    by_rank = green.gather(1, scores.argsort(dim=1, descending=True))
    assert (by_rank[:, ::2] == by_rank[:, :1]).all() and (by_rank[:, 1::2] != by_rank[:, :1]).all()
    assert 10 < by_rank[:, 0].sum() < 40  # the keyed bit of the context is fair


def test_green_share_by_hand_made_ranks(mini):
    """Tokens whose ranks have the green parity all count, the others never."""
    mark = Watermark(CONFIG, mini.tokenizer, mini.vocab_size)
    ids = np.random.default_rng(0).integers(0, 2048, 200)
    even = mark.partition.is_green(ids[:-1], ids[1:])
    right = np.concatenate([[0], np.where(even, 4, 7)])
    assert (mark.detect(ids, entropies=right).green, mark.detect(ids, entropies=right + 1).green) == (199, 0)
    assert 70 < mark.detect(ids, entropies=np.zeros(200)).green < 130


def test_detection_finds_the_green_tokens_of_insertion(mini):
    """fp32: batched, cached decoding and one forward pass of the whole text give the same ranks."""
    mark = Watermark(WatermarkConfig(method="watermod", delta=30.0), mini.tokenizer, mini.vocab_size)
    problems = load_problems("mini-python")[:4]
    texts = generate(mini, problems, mark, 2, 0, Decoding(max_new_tokens=60, top_k=None))
    prompts = {p.task_id: prompt_ids(mini.tokenizer, p.prompt) for p in problems}
    for text in texts:
        prompt = prompts[text.task_id]
        found = mark.detect(prompt + text.token_ids, len(prompt), model=mini.model)
        assert found.green == found.scored == len(text.token_ids) and (found.flags[len(prompt) :] == 1).all()
    ids = [prompts[t.task_id] + t.token_ids for t in texts]
    for row, read in zip(ids, token_entropies(mini, ids, ["rank"]), strict=True):
        assert (read["rank"] == of_tokens(mini.model, row, "rank", 0.5, 2.0)).all()


def test_errors_name_what_is_allowed(mini):
    with pytest.raises(ValueError, match=r"gamma is 0\.25; with watermod it must be 0\.5"):
        WatermarkConfig(method="watermod", gamma=0.25)
    with pytest.raises(ValueError, match=r"give entropies= \(rank, one per token\) or model="):
        Watermark(CONFIG, mini.tokenizer).detect("def f(x):")
