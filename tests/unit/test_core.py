"""Laws of the core: partitions, sampling, methods, scoring, metrics."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binom, kstest

from stone import Watermark, WatermarkConfig
from stone.cache import RankCache
from stone.entropy import shannon, spike
from stone.masks import GreenMasks
from stone.methods import METHODS
from stone.metrics import auroc, bootstrap, imperceptibility, pass_at_k, stem, stem_grid, tpr_at_fpr
from stone.partition import RULES, Partition, green_list
from stone.sampling import KeyedSampler, sample, stream_of, uniform
from stone.scoring import p_value, weighted_p_value, z_score
from stone.syntax import classify

WORDS = ["def", " return", " ", "    ", "):\n", "()", "x", "foo", " int", "+=", "forint", "", "\n\n", "a.b", "==", " not"]


class Tokenizer:
    def __len__(self):
        return len(WORDS)

    def batch_decode(self, rows, **_):
        return [WORDS[row[0]] for row in rows]


TOKENIZER = Tokenizer()
V = 40


@given(
    rule=st.sampled_from(RULES),
    gamma=st.floats(0.05, 0.95),
    key=st.integers(0, 2**70),
    pairs=st.lists(st.tuples(st.integers(0, V - 1), st.integers(0, V + 3)), min_size=1, max_size=30),
)
def test_is_green_agrees_with_masks_and_lists(rule, gamma, key, pairs):
    partition = Partition(vocab_size=V, gamma=gamma, key=key, rule=rule)
    previous, tokens = np.array(pairs).T
    green, masks = partition.is_green(previous, tokens), partition.masks(previous[:, None])
    for row, token in enumerate(tokens):
        expected = token < V and masks[row, token]
        assert green[row] == expected
        assert expected == (token in green_list([previous[row]], vocab_size=V, gamma=gamma, key=key, rule=rule))
    if rule != "portable":
        assert (masks.sum(axis=1) == int(V * gamma)).all()


@given(gamma=st.sampled_from([0.1, 0.25, 0.5, 0.9]), key=st.integers(0, 2**40), context=st.integers(0, 3), seed=st.integers(0, 100))
def test_a_device_computes_the_same_portable_masks(gamma, key, context, seed):
    partition = Partition(vocab_size=V, gamma=gamma, key=key, rule="portable", context=context)
    previous = torch.randint(0, V, (4, context), generator=torch.Generator().manual_seed(seed))
    assert np.array_equal(partition.direct_masks(previous).numpy(), partition.masks(previous.numpy()))


def test_portable_is_balanced_and_depends_on_everything():
    ids = np.arange(20000)
    first = Partition(vocab_size=20000, gamma=0.25, key=1, rule="portable", context=2)
    green = first.is_green(np.stack([ids, ids[::-1]], axis=1), ids)
    assert abs(green.mean() - 0.25) < 0.01
    assert (green != first.is_green(np.stack([ids[::-1], ids], axis=1), ids)).any()
    other = Partition(vocab_size=20000, gamma=0.25, key=2, rule="portable", context=2)
    agreement = (green == other.is_green(np.stack([ids, ids[::-1]], axis=1), ids)).mean()
    assert abs(agreement - (0.25**2 + 0.75**2)) < 0.02


def test_rank_cache_is_bounded_and_right():
    cache, calls = RankCache(max_pairs=100), []
    permutations = np.array([np.random.default_rng(seed).permutation(30) for seed in range(12)])

    def compute(contexts, tokens):
        assert (np.diff(contexts << 32 | tokens) > 0).all()
        calls.append(len(tokens))
        return (permutations[contexts] == tokens[:, None]).argmax(axis=1).astype(np.int32)

    rng = np.random.default_rng(0)
    for _ in range(80):
        n = int(rng.integers(0, 150))
        contexts, tokens = rng.integers(0, 12, n), rng.integers(0, 30, n)
        expected = (permutations[contexts] == tokens[:, None]).argmax(axis=1)
        assert cache.lookup(("family", n % 2), contexts, tokens, compute).tolist() == expected.tolist()
        assert len(cache) <= 100
    asked = np.arange(10), np.arange(10)
    cache.lookup("family", *asked, compute)
    before = len(calls)
    cache.lookup("family", *asked, compute)
    assert len(calls) == before


@given(
    rule=st.sampled_from(RULES),
    gamma=st.floats(0.05, 0.95),
    key=st.integers(0, 2**70),
    steps=st.lists(st.lists(st.tuples(st.integers(0, V + 3), st.integers(0, V - 1)), min_size=1, max_size=9), max_size=6),
    rows=st.integers(0, 12),
)
def test_kept_masks_are_those_of_the_partition(rule, gamma, key, steps, rows):
    """Also `portable`'s rule in torch, which is bit-equal to the one in numpy."""
    context = 1 if rule.startswith("simple_1") else 2
    partition = Partition(vocab_size=V + 1, gamma=gamma, key=key, rule=rule, context=context)
    masks = GreenMasks(partition, max_bytes=rows * 6)
    for step in steps:
        windows = np.array(step)[:, :context]
        read = masks.read(masks.prepare(torch.from_numpy(windows)))
        assert read.dtype == torch.bool and np.array_equal(read.numpy(), partition.masks(windows))
        assert len(masks._bits) <= max(rows, max(map(len, steps)))


def test_masks_drawn_in_inference_mode_serve_outside_it():
    partition = Partition(vocab_size=V, gamma=0.5, key=3)
    masks = GreenMasks(partition, max_bytes=1000)
    for some in ([1, 2, 3], [4], [5, 1]):
        windows = torch.tensor(some)[:, None]
        for mode in (True, False):
            with torch.inference_mode(mode):
                read = masks.read(masks.prepare(windows + 7 * mode)).numpy()
            assert np.array_equal(read, partition.masks(windows.numpy() + 7 * mode))


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
def test_the_bias_is_exact_in_every_precision_and_block(monkeypatch, dtype):
    monkeypatch.setattr("stone.rows._CPU_BLOCK", 3 * 20)
    scores = (torch.randn(7, 20, generator=torch.Generator().manual_seed(0)) * 5).to(dtype)
    scores[:, 3] = -torch.inf
    ids = torch.arange(7)[:, None]
    for delta in (0.1, 1.7):
        mark = Watermark(WatermarkConfig(method="kgw", delta=delta), TOKENIZER, vocab_size=18)
        green = torch.nn.functional.pad(torch.from_numpy(mark.partition.masks(ids.numpy())), (0, 2))
        assert torch.equal(mark.processor()(ids, scores), torch.where(green, scores + delta, scores))


@pytest.mark.parametrize(
    ("settings", "named"),
    [({"gamma": 1.0}, "gamma"), ({"rule": "left"}, "rule"), ({"context": -1}, "context"), ({"vocab_size": 0}, "vocab_size")],
)
def test_partition_errors_name_the_parameter(settings, named):
    with pytest.raises(ValueError, match=named):
        Partition(**{"vocab_size": 10, **settings})
    with pytest.raises(ValueError, match="shape"):
        Partition(vocab_size=10, context=2).is_green([1, 2], [1, 2])
    with pytest.raises(ValueError, match="-1"):
        Partition(vocab_size=10).is_green([-1, 2], [1, 2])


def test_exact_and_composed_matching():
    exact, composed = (classify(TOKENIZER, "python", match, vocab_size=20).tolist() for match in ("exact", "composed"))
    assert exact == [1, 1, 2, 0, 0, 0, 0, 0, 3, 5, 0, 0, 0, 0, 5, 1, 0, 0, 0, 0]
    assert composed == [1, 1, 2, 2, 4, 4, 0, 0, 3, 5, 0, 0, 2, 0, 5, 1, 0, 0, 0, 0]


@given(st.integers(2, 50), st.integers(0, 2**32))
def test_entropy_bounds(v, seed):
    logits = torch.randn(3, v, generator=torch.Generator().manual_seed(seed)) * 4
    h, s = shannon(logits), spike(logits, 0.5, 2.0)
    assert (h >= -1e-6).all() and (h <= np.log(v) + 1e-5).all()
    assert (s > 0).all() and (s <= 1 + 1e-5).all()
    torch.testing.assert_close(shannon(torch.zeros(1, v)), torch.full((1,), float(np.log(v))))
    assert shannon(torch.tensor([[0.0, -torch.inf]])).item() == 0.0


def test_keyed_uniform_is_uniform_and_independent_of_the_batch():
    streams, tokens = torch.arange(100), torch.arange(200)
    draws = uniform(3, streams, 5, tokens)
    assert kstest(draws.flatten().numpy(), "uniform").pvalue > 1e-4
    assert torch.equal(draws[40:50], uniform(3, streams[40:50], 5, tokens))
    assert torch.equal(draws[:, 7:9], uniform(3, streams, 5, tokens[7:9].expand(100, 2)))
    for other in (uniform(4, streams, 5, tokens), uniform(3, streams, 6, tokens), uniform(3, streams + 100, 5, tokens)):
        assert abs(np.corrcoef(draws.flatten(), other.flatten())[0, 1]) < 0.03


def test_samplers_follow_the_distribution():
    probabilities = torch.tensor([0.5, 0.3, 0.15, 0.05, 0.0])
    scores, streams = probabilities.log().expand(20000, 5), torch.arange(20000)
    for ids in (KeyedSampler(1, streams).pick(scores, 9), sample(scores, uniform(1, streams, 9, streams[:1]))):
        share = torch.bincount(ids, minlength=5) / 20000
        assert (share - probabilities).abs().max() < 0.015 and share[4] == 0
    top2 = torch.bincount(KeyedSampler(1, streams, top_k=2).pick(scores, 9), minlength=5) / 20000
    assert (top2 - torch.tensor([0.625, 0.375, 0, 0, 0])).abs().max() < 0.015


def test_sampler_leaves_one_token_and_names_bad_settings():
    out = KeyedSampler(0, [7, 8])(torch.zeros(2, 3, dtype=torch.int64), torch.randn(2, 10))
    assert (torch.isfinite(out).sum(dim=1) == 1).all()
    with pytest.raises(ValueError, match="temperature"):
        KeyedSampler(0, temperature=0)
    with pytest.raises(ValueError, match="streams"):
        KeyedSampler(0, [1])(torch.zeros(2, 3, dtype=torch.int64), torch.randn(2, 10))
    assert stream_of("HumanEval/1", 0) != stream_of("HumanEval/1", 1)


GREEN_LISTS = sorted(name for name, method in METHODS.items() if not method.only)


@settings(deadline=None)
@given(method=st.sampled_from(GREEN_LISTS), seed=st.integers(0, 1000), candidate=st.sampled_from(["sample", "argmax"]))
def test_every_method_is_right_for_any_batch(method, seed, candidate):
    """The contract of all methods: a new tensor unless it may be the given one, +delta or nothing, and each row as if it were alone."""
    v = 20
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(5, v, generator=generator) * 3
    ids = torch.randint(0, 16, (5, 4), generator=generator)
    mark = Watermark(WatermarkConfig(method=method, gamma=0.4, delta=1.5, candidate=candidate), TOKENIZER, vocab_size=v)
    streams = [stream_of("t", i) for i in range(5)]
    before = scores.clone()
    out = mark.processor(seed, streams)(ids, scores)
    assert torch.equal(scores, before)
    assert mark.processor(seed, streams, in_place=True)(ids, before) is before and torch.equal(before, out)
    for i in range(5):
        assert torch.equal(out[i : i + 1], mark.processor(seed, streams[i : i + 1])(ids[i : i + 1], scores[i : i + 1]))
        green = np.zeros(v, dtype=bool)
        green[green_list([int(ids[i, -1])], vocab_size=v, gamma=0.4, key=mark.config.key)] = True
        changed = (out[i] != scores[i]).numpy()
        allowed = green & (mark.classes == 0) if method in ("stone_plus", "stone_coupled") else green
        assert np.array_equal(changed, allowed) or (mark.method.gate and not changed.any())


def test_no_mask_is_drawn_for_a_row_whose_gate_is_closed(monkeypatch):
    drawn, draw = [], Partition.mask_of_fold
    monkeypatch.setattr(Partition, "mask_of_fold", lambda self, fold: drawn.append(fold) or draw(self, fold))
    scores = torch.zeros(3, 20)
    scores[:2, 0] = 50.0  # the model is sure of both
    for sure, masks in ((scores[:2], 0), (scores, 1)):
        mark = Watermark(WatermarkConfig(method="sweet", delta=1.5), TOKENIZER, vocab_size=20)
        marked = mark.processor(0)(torch.tensor([[5], [6], [7]])[: len(sure)], sure)
        assert torch.equal(marked[:2], sure[:2]) and len(drawn) == masks
    assert set(marked[2].tolist()) == {0.0, 1.5}


def test_stone_plus_never_alters_a_syntax_position_and_is_exact_at_delta_zero():
    v, rows = 20, 400
    generator = torch.Generator().manual_seed(0)
    scores, ids = torch.randn(rows, v, generator=generator) * 2, torch.randint(0, 16, (rows, 3), generator=generator)
    sampler = KeyedSampler(9, list(range(rows)))
    plain = sampler.pick(scores, 3)
    for delta in (0.0, 3.0):
        mark = Watermark(WatermarkConfig(method="stone_plus", delta=delta), TOKENIZER, vocab_size=v)
        marked = sampler.pick(mark.processor(9, list(range(rows)), sampler=sampler)(ids, scores), 3)
        spared = mark.classes[plain.numpy()] != 0
        assert spared.any() and torch.equal(marked[spared], plain[spared])
        assert torch.equal(marked, plain) == (delta == 0.0)
        assert (mark.classes[marked.numpy()[~spared]] == 0).all()


def test_detection_scope_and_missing_entropies():
    mark = Watermark(WatermarkConfig(method="stone"), TOKENIZER, vocab_size=16)
    ids = [0, 6, 7, 2, 6, 9, 7]
    whole, after = mark.detect(ids), mark.detect(ids, prompt_length=4)
    assert whole.flags[0] == -1 and whole.weights.tolist() == [0, 1, 1, 0, 1, 0, 1] and whole.scored == 4
    assert after.weights.tolist() == [0, 0, 0, 0, 1, 0, 1] and np.array_equal(after.flags, whole.flags)
    empty = mark.detect(ids, prompt_length=len(ids) + 2)
    assert (empty.z, empty.p_value, empty.scored) == (0.0, 1.0, 0)
    for method in ("sweet", "ewd"):
        with pytest.raises(ValueError, match=r"entropies=.*model="):
            Watermark(WatermarkConfig(method=method), TOKENIZER, vocab_size=16).detect(ids)
    ewd = Watermark(WatermarkConfig(method="ewd"), TOKENIZER, vocab_size=16).detect(ids, entropies=[0.5] * len(ids))
    assert ewd.z == 0.0 and ewd.scored == 6


@given(st.sampled_from(sorted(METHODS)), st.floats(0.01, 0.99), st.floats(0, 10), st.sampled_from(["python", "cpp", "java"]))
def test_config_round_trip(method, gamma, delta, language):
    config = WatermarkConfig(method=method, **{"gamma": gamma, **METHODS[method].only}, delta=delta, language=language)
    assert WatermarkConfig.from_json(config.to_json()) == config


@pytest.mark.parametrize(
    "bad", [{"gamma": 0}, {"delta": -1}, {"method": "x"}, {"language": "go"}, {"key": 1.5}, {"context": -1}, {"vocab_size": 0}]
)
def test_config_errors_name_key_and_value(bad):
    ((key, value),) = bad.items()
    with pytest.raises(ValueError, match=f"{key}.*{value}"):
        WatermarkConfig(**bad)


@given(st.lists(st.booleans(), min_size=1, max_size=60), st.floats(0.05, 0.95))
def test_p_values_agree_on_equal_weights(green, gamma):
    ones = np.ones(len(green))
    exact = binom.sf(sum(green) - 1, len(green), gamma)
    assert p_value(green, ones, gamma) == pytest.approx(exact)
    assert weighted_p_value(green, ones / 2, gamma, grid=len(green)) == pytest.approx(exact, abs=1e-9)
    assert z_score(green, ones, gamma) == pytest.approx(z_score(green, 3 * ones, gamma))


def test_weighted_p_value_is_calibrated():
    rng = np.random.default_rng(0)
    weights = rng.random(60) ** 3
    values = np.array([weighted_p_value(rng.random(60) < 0.3, weights, 0.3) for _ in range(2000)])
    for level in (0.01, 0.05, 0.5):
        assert abs((values <= level).mean() - level) < 4 * np.sqrt(level / 2000)


def test_metrics_by_hand():
    assert pass_at_k(5, 2, 1) == pytest.approx(0.4) and pass_at_k(5, 1, 5) == 1 and pass_at_k(5, 0, 5) == 0
    assert auroc([3, 2], [1, 2]) == pytest.approx(0.875)
    assert tpr_at_fpr([1, 2, 3, 4], [0, 0, 0, 2.5], 0.25) == 1.0 and tpr_at_fpr([1, 2, 3, 4], [0, 0, 0, 2.5], 0.01) == 0.5
    assert imperceptibility(1.1, 1.0) == pytest.approx(0.9) and imperceptibility(3.0, 1.0) == pytest.approx(-1)
    assert stem(0.571, 0.982, 0.990) == pytest.approx(0.848, abs=5e-4)
    grid = stem_grid({"a": (1, 0, 0), "b": (1, 0, 0), "c": (0, 1, 0)})
    assert len(grid) == 66 and [sum(p.winners == w for p in grid) for w in (("a", "b"), ("a", "b", "c"), ("c",))] == [30, 6, 30]
    with pytest.raises(ValueError, match="weights"):
        stem(1, 1, 1, (0.5, 0.5, 0.5))
    with pytest.raises(ValueError, match="pass@k"):
        pass_at_k(3, 1, 5)


def test_bootstrap_covers_the_mean():
    rng, hits = np.random.default_rng(1), 0
    for trial in range(100):
        values = rng.normal(0, 1, 50)
        e = bootstrap(lambda i, values=values: values[i].mean(), 50, resamples=300, seed=trial)
        hits += e.low <= 0 <= e.high
    assert 86 <= hits <= 100
