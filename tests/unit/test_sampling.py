"""The candidate's draw: one token of the softmax, found by block."""

import pytest
import torch

from stone.sampling import sample, uniform


def by_all_sums(scores, seed, streams, position):
    """The definition: inverse transform over all tokens at once."""
    cumulative = torch.softmax(scores.double(), dim=-1).cumsum(dim=-1)
    draw = uniform(seed, streams, position, torch.zeros(1, dtype=torch.int64))
    return torch.searchsorted(cumulative, draw * cumulative[:, -1:], right=True)[:, 0]


@pytest.mark.parametrize("width", [1, 5, 128, 129, 1000, 2048])
def test_the_draw_is_the_inverse_transform(width):
    scores = torch.randn(200, width, generator=torch.Generator().manual_seed(width)) * 3
    streams = torch.arange(200)
    for position in range(5):
        same = sample(scores, 7, streams, position) == by_all_sums(scores, 7, streams, position)
        assert same.float().mean() > 0.99  # a draw may lie on the border of two tokens, to rounding


def test_a_row_does_not_depend_on_its_batch():
    scores, streams = torch.randn(16, 777, generator=torch.Generator().manual_seed(0)) * 3, torch.arange(16)
    alone = torch.cat([sample(scores[i : i + 1], 3, streams[i : i + 1], 2) for i in range(16)])
    assert torch.equal(sample(scores, 3, streams, 2), alone)


def test_a_token_without_mass_is_never_drawn():
    scores = torch.full((300, 500), -torch.inf)
    scores[:, [3, 130, 400]] = torch.tensor([0.0, 1.0, -40.0])
    assert set(sample(scores, 1, torch.arange(300), 0).tolist()) == {3, 130}


def test_frequencies_are_the_probabilities():
    scores = torch.log(torch.tensor([0.5, 0.2, 0.2, 0.1])).expand(20_000, 4)
    found = torch.bincount(sample(scores, 5, torch.arange(20_000), 0), minlength=4) / 20_000
    torch.testing.assert_close(found, torch.tensor([0.5, 0.2, 0.2, 0.1]), atol=0.015, rtol=0)
