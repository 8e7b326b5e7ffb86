"""Loading causal language models: embedded, local or from the Hugging Face hub. Safetensors only, never remote code."""

from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GenerationConfig

EMBEDDED = {"mini": "coder", "mini-judge": "judge"}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class ModelError(RuntimeError):
    """A model cannot be loaded; the message says why and what to do."""


@dataclass(frozen=True)
class LoadedModel:
    """A model ready for generation and scoring. vocab_size is V of the logits, which may exceed len(tokenizer)."""

    name: str
    model: Any
    tokenizer: Any
    vocab_size: int

    @property
    def device(self) -> torch.device:
        return self.model.device


def load_tokenizer(name: str, revision: str | None = None):
    """The tokenizer of a model, padding on the left, with a pad token."""
    tokenizer = _loaded(AutoTokenizer, _path(name), revision)
    tokenizer.padding_side = "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def load_model(name: str, dtype: str = "auto", device: str = "auto", revision: str | None = None) -> LoadedModel:
    """Load a model for inference.

    Parameters
    ----------
    name : "mini", "mini-judge", a folder, or a hub id.
    dtype : "float32", "bfloat16", "float16", or "auto" (bfloat16 on a GPU, float32 on a CPU).
    device : "cpu", "cuda", "cuda:1", ..., "balanced" (spread over all GPUs), or "auto" (a GPU where there is one).
    revision : commit, tag or branch of a hub model; pin a commit for reproducible results.

    The model's own generation settings are replaced by neutral ones (only its end and pad tokens stay), so that decoding is what the
    caller asks for. Raises ModelError in one line for a missing model, a gated one, no network, or no GPU.
    """
    if dtype != "auto" and dtype not in DTYPES:
        raise ModelError(f"dtype {dtype!r} is unknown; choose auto, {', '.join(DTYPES)}")
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError(f"device {device!r} was asked for but torch sees no GPU; use device auto or cpu")
    where = ("cuda" if torch.cuda.is_available() else "cpu") if device == "auto" else device
    kind = DTYPES[dtype] if dtype != "auto" else (torch.float32 if where == "cpu" else torch.bfloat16)
    tokenizer = load_tokenizer(name, revision)
    placement = {"device_map": where} if where != "cpu" else {}
    model = _loaded(AutoModelForCausalLM, _path(name), revision, dtype=kind, use_safetensors=True, **placement).eval()
    vocab_size = model.get_output_embeddings().weight.shape[0]
    if len(tokenizer) > vocab_size:
        raise ModelError(
            f"{name}: the tokenizer has {len(tokenizer)} ids but the logits only {vocab_size}; they don't belong together"
        )
    _neutralise(model, tokenizer)
    return LoadedModel(name, model, tokenizer, vocab_size)


def _path(name: str) -> str:
    return str(files("stone.mini") / "models" / EMBEDDED[name]) if name in EMBEDDED else name


def _neutralise(model, tokenizer) -> None:
    """Drop shipped sampling settings (temperature, repetition penalty, no_repeat_ngram_size, ...); keep where generation ends."""
    ends = model.generation_config.eos_token_id
    ends = tokenizer.eos_token_id if ends is None else ends
    model.generation_config = GenerationConfig(eos_token_id=ends, pad_token_id=tokenizer.pad_token_id, do_sample=False)


def _loaded(kind, path: str, revision: str | None, **settings):
    try:
        return kind.from_pretrained(path, revision=revision, trust_remote_code=False, **settings)
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        raise ModelError(f"{path} cannot be loaded: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    lowered = text.lower()
    if "gated" in lowered or "401" in lowered or "403" in lowered:
        return "it is gated or private; accept its licence on its hub page and log in with `hf auth login`"
    if "safetensors" in lowered:
        return "it has no safetensors weights, and other formats can carry code; convert it to safetensors first"
    if "remote code" in lowered or "trust_remote_code" in lowered:
        return "it needs code of its own to run, which is never executed here; choose a model that transformers supports"
    if any(word in lowered for word in ("connect", "offline", "resolve", "couldn't reach", "max retries")):
        return "it is not in the local cache and the hub cannot be reached; connect, or give the folder of a downloaded copy"
    if "not a local folder" in lowered or "does not appear to have" in lowered or "404" in lowered or "no such file" in lowered:
        return "there is no such folder or hub model, or the folder lacks its files; check the name and the revision"
    return text[:300]
