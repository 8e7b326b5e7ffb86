"""Generation with the embedded model: the same text whatever the batch, and entropies and perplexities that don't depend on it."""

import numpy as np
import pytest
import torch

from stone import Watermark, WatermarkConfig, load_problems
from stone.entropy import of_tokens, token_entropies
from stone.generation import Decoding, generate
from stone.models import ModelError, load_model
from stone.perplexity import perplexities

torch.set_num_threads(1)


@pytest.fixture(scope="module")
def mini():
    return load_model("mini", dtype="float32", device="cpu")


@pytest.fixture(scope="module")
def problems():
    return load_problems("mini-cpp")[:6]


def mark_for(loaded, method, delta):
    config = WatermarkConfig(method=method, delta=delta, language="cpp")
    return Watermark(config, loaded.tokenizer, vocab_size=loaded.vocab_size)


@pytest.mark.parametrize("method", [None, "kgw", "sweet", "stone", "stone_plus"])
def test_same_completions_for_any_batch_size_order_and_shard(mini, problems, method):
    mark = mark_for(mini, method, 2.0) if method else None
    whole = generate(mini, problems, mark, samples=2, decoding=Decoding(max_new_tokens=60, batch_size=12))
    small = generate(mini, problems, mark, samples=2, decoding=Decoding(max_new_tokens=60, batch_size=5))
    shard = generate(mini, problems[::-1][:3], mark, samples=2, decoding=Decoding(max_new_tokens=60, batch_size=64))
    assert whole == small
    by_name = {(c.task_id, c.sample): c for c in whole}
    assert all(by_name[c.task_id, c.sample] == c for c in shard)
    assert [(c.task_id, c.sample) for c in whole] == [(p.task_id, s) for p in problems for s in range(2)]
    assert len({c.text for c in whole}) > 6


def test_a_batch_shrinks_when_rows_are_over(mini, problems):
    sizes = []
    hook = mini.model.register_forward_pre_hook(lambda *call: sizes.append(len(call[2]["input_ids"])), with_kwargs=True)
    try:
        together = generate(mini, problems, None, samples=2, decoding=Decoding(max_new_tokens=150))
    finally:
        hook.remove()
    assert sizes[0] == 12 and sizes[-1] <= 6 and sizes == sorted(sizes, reverse=True)
    assert {c.finish for c in together} >= {"stop"} and len({len(c.token_ids) for c in together}) > 3
    assert together == generate(mini, problems, None, samples=2, decoding=Decoding(max_new_tokens=150, batch_size=1))


def test_seeds_differ_and_delta_zero_of_stone_plus_is_unmarked(mini, problems):
    decoding = Decoding(max_new_tokens=40)
    plain = generate(mini, problems, None, samples=1, decoding=decoding)
    other = generate(mini, problems, None, samples=1, seed=1, decoding=decoding)
    zero = generate(mini, problems, mark_for(mini, "stone_plus", 0.0), samples=1, decoding=decoding)
    assert zero == plain
    assert [c.text for c in plain] != [c.text for c in other]


def test_a_strong_mark_is_found_and_ends_are_cut(mini, problems):
    mark = mark_for(mini, "kgw", 8.0)
    done = generate(mini, problems, mark, samples=2, decoding=Decoding(max_new_tokens=80))
    assert np.mean([mark.detect(c.token_ids).z for c in done]) > 3
    texts = [c.text for c in done]
    assert [d.z for d in mark.detect_many([*texts, done[0].token_ids])] == [
        *(mark.detect(text).z for text in texts),
        mark.detect(done[0].token_ids).z,
    ]
    eos = mini.tokenizer.eos_token_id
    assert all(eos not in c.token_ids and c.finish in ("stop", "length") for c in done)


def test_entropies_do_not_depend_on_the_batch(mini):
    sequences = [list(range(3, 3 + n)) for n in (5, 17, 1, 30, 0)]
    together = token_entropies(mini, sequences, ["shannon", (0.5, 2.0)])
    tight = token_entropies(mini, sequences, ["shannon", (0.5, 2.0)], batch_tokens=1)
    for ids, a, b in zip(sequences, together, tight, strict=True):
        for kind in ("shannon", (0.5, 2.0)):
            assert len(a[kind]) == len(ids) and not a[kind][:1].any()
            np.testing.assert_allclose(a[kind], b[kind], rtol=2e-4, atol=2e-5)
        if ids:
            np.testing.assert_allclose(a["shannon"], of_tokens(mini.model, ids, "shannon", 0.5, 2.0), rtol=2e-4, atol=2e-5)


def test_perplexity_by_hand_and_for_any_batch():
    judge = load_model("mini-judge", dtype="float32", device="cpu")
    texts = ["def f(x):\n    return x\n", "int main() { return 0; }", "x"]
    values = perplexities(judge, texts)
    np.testing.assert_allclose(values, perplexities(judge, texts[::-1], batch_tokens=1)[::-1], rtol=1e-4)
    ids = [judge.tokenizer.eos_token_id, *judge.tokenizer(texts[0])["input_ids"]]
    with torch.no_grad():
        log_p = torch.log_softmax(judge.model(input_ids=torch.tensor([ids])).logits[0].double(), dim=-1)
    by_hand = np.exp(-np.mean([log_p[i, t].item() for i, t in enumerate(ids[1:])]))
    assert values[0] == pytest.approx(by_hand, rel=1e-4)
    with pytest.raises(ValueError, match="no token"):
        perplexities(judge, ["a", ""])


def test_model_errors_are_one_line(tmp_path):
    for name, settings in (("/no/such/folder", {}), ("mini", {"dtype": "int3"}), (str(tmp_path), {})):
        with pytest.raises(ModelError) as caught:
            load_model(name, **settings)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400


def test_shipped_generation_settings_are_neutral(mini):
    config = mini.model.generation_config
    assert config.do_sample is False and config.temperature in (None, 1.0) and config.repetition_penalty in (None, 1.0)
    assert mini.tokenizer.padding_side == "left" and mini.tokenizer.pad_token_id is not None


def test_languages_are_not_mixed(mini, problems):
    with pytest.raises(ValueError, match=r"cpp.*java.*one language"):
        generate(mini, [problems[0], load_problems("mini-java")[0]], None)
