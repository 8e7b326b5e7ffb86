"""The path that real models take, on small random models of the same three architectures with the real Qwen tokenizer."""

import json
import os
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
import torch
from tokenizers.processors import TemplateProcessing
from transformers import (
    AutoModelForCausalLM,
    Gemma2Config,
    GenerationConfig,
    LlamaConfig,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Starcoder2Config,
)

from stone import Watermark, WatermarkConfig, load_problems
from stone.entropy import of_tokens, token_entropies
from stone.generation import Decoding, generate
from stone.models import ModelError, load_model, load_tokenizer
from stone.perplexity import perplexities
from stone.scan import round_trip, scan_texts

V = 151_936  # of Qwen2.5's logits: wider than its tokenizer
SMALL = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "num_key_value_heads": 1, "intermediate_size": 32,
         "max_position_embeddings": 2048, "vocab_size": V, "initializer_range": 0.5, "bos_token_id": None, "eos_token_id": 151643}  # fmt: skip
ARCHITECTURES = {
    "qwen2": Qwen2Config(**SMALL, tie_word_embeddings=True),
    "llama": LlamaConfig(**SMALL, tie_word_embeddings=False),
    "starcoder2": Starcoder2Config(**SMALL),
    "gemma2": Gemma2Config(**SMALL, head_dim=8, final_logit_softcapping=2.0),  # logits are more than the head's output
}


def save(folder, config, tokenizer, **saving):
    torch.manual_seed(0)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    # What Qwen and the Instruct models ship: settings that would change what is drawn.
    model.generation_config = GenerationConfig(
        do_sample=True, temperature=0.3, top_p=0.8, top_k=3, repetition_penalty=1.5, eos_token_id=[151643, 151642]
    )
    model.save_pretrained(folder, **saving)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def tokenizer(qwen_tokenizer) -> PreTrainedTokenizerFast:
    """As Qwen's, without a pad token, as Llama's has none."""
    return PreTrainedTokenizerFast(tokenizer_object=qwen_tokenizer.backend_tokenizer, eos_token="<|endoftext|>")


@pytest.fixture(scope="module", params=ARCHITECTURES)
def folder(request, tmp_path_factory, tokenizer):
    return save(tmp_path_factory.mktemp(request.param), ARCHITECTURES[request.param], tokenizer)


def test_generation_scoring_and_reading(folder):
    loaded = load_model(str(folder), dtype="float32", device="cpu")
    assert loaded.vocab_size == V > len(loaded.tokenizer) and loaded.model.dtype == torch.float32
    assert loaded.tokenizer.pad_token == "<|endoftext|>" and loaded.tokenizer.padding_side == "left"
    shipped = loaded.model.generation_config
    assert not shipped.do_sample and shipped.temperature in (None, 1.0) and shipped.top_p in (None, 1.0)
    assert shipped.repetition_penalty in (None, 1.0) and shipped.eos_token_id == [151643, 151642]
    problems = load_problems("mini-python")[:2]
    mark = Watermark(WatermarkConfig(method="kgw", delta=9.0), loaded.tokenizer, vocab_size=loaded.vocab_size)
    decoding = Decoding(max_new_tokens=16, stop_at_function_end=False)
    together = generate(loaded, problems, mark, samples=2, decoding=decoding)
    alone = generate(loaded, problems, mark, samples=2, decoding=Decoding(16, batch_size=1, stop_at_function_end=False))
    assert together == alone
    assert np.mean([mark.detect(c.token_ids).z for c in together]) > 2.5
    ids = loaded.tokenizer(problems[0].human_solution)["input_ids"][:40]
    (read,) = token_entropies(loaded, [ids], ["shannon", (0.5, 2.0)])
    np.testing.assert_allclose(read["shannon"], of_tokens(loaded.model, ids, "shannon", 0.5, 2.0), rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(read[0.5, 2.0], of_tokens(loaded.model, ids, "spike", 0.5, 2.0), rtol=1e-3, atol=1e-3)
    assert np.isfinite(perplexities(loaded, ["x = 1\n"])).all()


def test_settings_of_the_release_hold_for_any_batch(tmp_path, tokenizer):
    loaded = load_model(str(save(tmp_path, ARCHITECTURES["qwen2"], tokenizer)), dtype="float32", device="cpu")
    loaded.model.generation_config.eos_token_id = list(range(0, V, 2))  # every second token ends the text
    problems = load_problems("mini-python")[:2]
    length = {p.task_id: len(loaded.tokenizer(p.prompt)["input_ids"]) for p in problems}
    least = max(length.values()) + 4
    settings = {"max_new_tokens": 160, "min_length": least, "no_repeat_ngram_size": 4, "stop_at_function_end": False}
    together = generate(loaded, problems, None, samples=2, decoding=Decoding(**settings))
    assert together == generate(loaded, problems, None, samples=2, decoding=Decoding(**settings, batch_size=1))
    assert all(length[c.task_id] + len(c.token_ids) >= least for c in together)


def test_a_begin_token_stands_before_the_prompt_where_the_tokenizer_puts_one(tmp_path, qwen_tokenizer):
    backend = type(qwen_tokenizer.backend_tokenizer).from_str(qwen_tokenizer.backend_tokenizer.to_str())
    backend.post_processor = TemplateProcessing(single="<|endoftext|> $A", special_tokens=[("<|endoftext|>", 151643)])
    begin = PreTrainedTokenizerFast(tokenizer_object=backend, bos_token="<|endoftext|>", eos_token="<|im_end|>")
    loaded = load_model(str(save(tmp_path, ARCHITECTURES["llama"], begin)), dtype="float32", device="cpu")
    problems = load_problems("mini-python")[:1]
    done = generate(loaded, problems, None, samples=1, decoding=Decoding(max_new_tokens=12))
    texts = scan_texts(loaded, problems, {"none": [c.to_record() for c in done]}, [])
    assert all(row.ids[0] == 151643 and 151643 not in row.ids[1:] for row in texts.itertuples())


def test_round_trip_counts_what_encoding_changes(qwen_tokenizer):
    import pandas as pd

    from stone.experiment import Cell

    mark = Watermark(WatermarkConfig(method="kgw"), qwen_tokenizer, vocab_size=V)
    encode = lambda text: qwen_tokenizer(text)["input_ids"]  # noqa: E731
    whole, split = encode("return total"), encode("ret") + encode("urn") + encode(" total")
    rows = [("kgw-g0.5-d0.5", f"t{i}", 0, 1, [7, *ids]) for i, ids in enumerate((whole, split))]
    texts = pd.DataFrame(rows, columns=["cell", "task_id", "sample", "prompt_length", "ids"])
    found = round_trip(mark, Cell("kgw", 0.5, 0.5), texts)
    assert found.tokens.tolist() == [2, 3] and found.survived.tolist() == [2, 1]
    assert found.z[0] == found.z_encoded[0] and found.z_encoded[1] == found.z[0]


# -- errors ----------------------------------------------------------------------------------------------------------------------
def test_other_formats_than_safetensors_and_remote_code_are_refused(tmp_path, tokenizer):
    folder = save(tmp_path / "pickled", ARCHITECTURES["qwen2"], tokenizer)
    weights = folder / "model.safetensors"
    torch.save({"a": torch.zeros(1)}, folder / "pytorch_model.bin")
    weights.unlink()
    with pytest.raises(ModelError, match="no safetensors weights"):
        load_model(str(folder))
    config = json.loads((folder / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.Config", "AutoModelForCausalLM": "own.Model"}}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "own.py").write_text("raise SystemExit('code of the model ran')")
    with pytest.raises(ModelError, match="code of its own"):
        load_model(str(folder))


def test_a_tokenizer_that_is_wider_than_the_logits_is_refused(tmp_path, tokenizer):
    config = Qwen2Config(**SMALL | {"vocab_size": 1000, "eos_token_id": 0})
    with pytest.raises(ModelError, match="don't belong together"):
        load_model(str(save(tmp_path, config, tokenizer)))


class Hub(BaseHTTPRequestHandler):
    """A model hub that answers everything with an error."""

    def do_HEAD(self):
        gated = "gated" in self.path
        self.send_response(403 if gated else 404)
        self.send_header("X-Error-Code", "GatedRepo" if gated else "RepoNotFound")
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD

    def log_message(self, *_):
        pass


@pytest.mark.parametrize(
    "name, online, message",
    [
        ("some/gated-model", True, "it is gated"),
        ("some/absent", True, "no such model"),
        ("some/model", False, "hub cannot be reached"),
    ],
)
def test_hub_errors_are_one_line(name, online, message, tmp_path):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_port if online else 9  # nothing listens on the discard port
    code = f"from stone.models import *\ntry: load_tokenizer({name!r})\nexcept ModelError as error: print(error)"
    environment = {**os.environ, "HF_ENDPOINT": f"http://127.0.0.1:{port}", "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "0"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=120)
    server.shutdown()
    assert message in run.stdout and run.stdout.count("\n") == 1, run.stdout + run.stderr[-2000:]


def test_a_pad_token_is_taken_from_the_end_token(tmp_path, tokenizer):
    tokenizer.save_pretrained(tmp_path)
    assert load_tokenizer(str(tmp_path)).pad_token_id == 151643
