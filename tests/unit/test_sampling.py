"""The candidate's draw, one token of the softmax, and the highest scores: both found by block."""

import pytest
import torch

from stone.sampling import sample, top, uniform


def noise(rows, seed, position=0):
    return uniform(seed, torch.arange(rows), position, torch.zeros(1, dtype=torch.int64))


def by_all_sums(scores, draws):
    """The definition: inverse transform over all tokens at once."""
    cumulative = torch.softmax(scores.double(), dim=-1).cumsum(dim=-1)
    return torch.searchsorted(cumulative, draws * cumulative[:, -1:], right=True)[:, 0]


@pytest.mark.parametrize("width", [1, 5, 128, 129, 1000, 2048])
def test_the_draw_is_the_inverse_transform(width):
    scores = torch.randn(200, width, generator=torch.Generator().manual_seed(width)) * 3
    for position in range(5):
        draws = noise(200, 7, position)
        same = sample(scores, draws) == by_all_sums(scores, draws)
        assert same.float().mean() > 0.99  # a draw may lie on the border of two tokens, to rounding


def test_a_row_does_not_depend_on_its_batch():
    scores, draws = torch.randn(16, 777, generator=torch.Generator().manual_seed(0)) * 3, noise(16, 3)
    alone = torch.cat([sample(scores[i : i + 1], draws[i : i + 1]) for i in range(16)])
    assert torch.equal(sample(scores, draws), alone)


def test_a_token_without_mass_is_never_drawn():
    scores = torch.full((300, 500), -torch.inf)
    scores[:, [3, 130, 400]] = torch.tensor([0.0, 1.0, -40.0])
    assert set(sample(scores, noise(300, 1)).tolist()) == {3, 130}


def test_frequencies_are_the_probabilities():
    scores = torch.log(torch.tensor([0.5, 0.2, 0.2, 0.1])).expand(20_000, 4)
    found = torch.bincount(sample(scores, noise(20_000, 5)), minlength=4) / 20_000
    torch.testing.assert_close(found, torch.tensor([0.5, 0.2, 0.2, 0.1]), atol=0.015, rtol=0)


@pytest.mark.parametrize("width", [40, 5120, 6000])
def test_the_highest_scores_are_those_of_all(width):
    scores = torch.randn(20, width, generator=torch.Generator().manual_seed(width))
    scores[0, 7:] = scores[1] = -torch.inf
    values, tokens = top(scores, 10)
    assert torch.equal(values, scores.topk(10).values) and torch.equal(scores.gather(1, tokens), values)
    assert torch.equal(tokens[2:], scores.topk(10).indices[2:]) and all(len(set(row)) == 10 for row in tokens.tolist())
