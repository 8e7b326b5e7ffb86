"""Interoperability with transformers' own green-list watermark (context 1, lefthash), in both directions."""

import numpy as np
import pytest
import torch
from transformers import Qwen2Config, Qwen2ForCausalLM, WatermarkDetector, WatermarkingConfig

from stone import Watermark, WatermarkConfig

VOCAB = 300


class Tokenizer:
    """A tokenizer of VOCAB one-letter tokens, enough for syntax classes."""

    def __len__(self):
        return VOCAB

    def batch_decode(self, rows, **_):
        return [chr(0x4E00 + row[0]) for row in rows]


@pytest.fixture(scope="module")
def model():
    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=VOCAB, hidden_size=32, intermediate_size=64, num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2,
        bos_token_id=0, eos_token_id=None, pad_token_id=0,
    )  # fmt: skip
    return Qwen2ForCausalLM(config).eval()


def generate(model, prompts, **settings):
    torch.manual_seed(1)
    return model.generate(prompts, attention_mask=torch.ones_like(prompts), max_new_tokens=60, do_sample=True, top_k=0, **settings)


@pytest.mark.parametrize("gamma", [0.25, 0.5])
def test_same_z_in_both_directions(model, gamma):
    prompts = torch.randint(1, VOCAB, (3, 8), generator=torch.Generator().manual_seed(2))
    mark = Watermark(WatermarkConfig(method="kgw", gamma=gamma, delta=2.0, key=15485863), Tokenizer(), vocab_size=VOCAB)
    theirs = WatermarkingConfig(greenlist_ratio=gamma, bias=2.0, hashing_key=15485863, seeding_scheme="lefthash", context_width=1)
    detector = WatermarkDetector(model.config, device="cpu", watermarking_config=theirs)
    by_us = generate(model, prompts, logits_processor=[mark.processor()])
    by_them = generate(model, prompts, watermarking_config=theirs)
    plain = generate(model, prompts)
    for texts, marked in ((by_us, True), (by_them, True), (plain, False)):
        ours = np.array([mark.detect(row).z for row in texts.tolist()])
        other = detector(texts, return_dict=True).z_score
        np.testing.assert_allclose(ours, other, rtol=1e-6)
        assert (ours > 2.5).all() == marked
