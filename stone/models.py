"""Loading causal language models: embedded, local or from the Hugging Face hub. Safetensors only, never remote code."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import torch
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer, GenerationConfig

EMBEDDED = {"mini": "coder", "mini-judge": "judge"}
DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float16": torch.float16}


class ModelError(RuntimeError):
    """A model cannot be loaded; the message says why and what to do."""


@dataclass(frozen=True)
class LoadedModel:
    """A model ready for generation and scoring. vocab_size is V of the logits, which may exceed len(tokenizer).

    plain_head : the logits are the output embedding of the last hidden state and nothing else (no soft-capping, no scaling).
    """

    name: str
    model: Any
    tokenizer: Any
    vocab_size: int
    plain_head: bool

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


def logits_width(name: str, revision: str | None = None) -> int:
    """V of a model's logits, from its config alone."""
    config = _loaded(AutoConfig, _path(name), revision)
    return config.get_text_config().vocab_size


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
    return LoadedModel(name, model, tokenizer, vocab_size, _has_plain_head(model))


def prompt_ids(tokenizer, text: str) -> list[int]:
    """A prompt as the model was trained to see it: with a begin token where its tokenizer puts one (Llama), never with an end token."""
    ids = tokenizer(text)["input_ids"]
    return ids[:-1] if ids and ids[-1] == tokenizer.eos_token_id and not text.endswith(tokenizer.eos_token) else ids


@torch.inference_mode()
def read_logits(
    loaded: LoadedModel,
    sequences: Sequence[Sequence[int]],
    batch_tokens: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[list[int], int, torch.Tensor]]:
    """The model's predictions of the tokens of given sequences, in pieces: [all sequences, length, V] never exists in memory.

    Yields (indices of the sequences in a batch [B], start, logits [B, n, V]); logits[:, k] predicts token start + k. Rows of a batch have
    like lengths; what lies beyond a row's end is padding. A batch holds about batch_tokens tokens (default: 8192 on a GPU, 1024 on a CPU, whose
    caches hold no more); out of GPU memory halves them and says so. progress is called with the number of sequences done since last time.
    """
    on_cpu = loaded.device.type == "cpu"
    batch_tokens = batch_tokens or (1024 if on_cpu else 8192)
    most_logits = 2**23 if on_cpu else 2**24  # of a few positions at a time: 32 or 64 MiB in float32
    order = sorted((i for i in range(len(sequences)) if len(sequences[i]) > 1), key=lambda i: len(sequences[i]))
    while order:
        rows = order[-max(1, batch_tokens // len(sequences[order[-1]])) :]
        width = len(sequences[rows[-1]])
        # Padding at the end is invisible to a causal model, so no mask is needed; any id will do.
        ids = torch.tensor([[*sequences[i], *[0] * (width - len(sequences[i]))] for i in rows], device=loaded.device)
        inner = loaded.model.base_model if loaded.plain_head else loaded.model
        try:
            seen = inner(input_ids=ids, use_cache=False)[0][:, :-1]
        except torch.cuda.OutOfMemoryError:
            if len(rows) == 1:
                raise
            torch.cuda.empty_cache()
            batch_tokens //= 2
            warnings.warn(f"out of GPU memory: reading goes on with {batch_tokens} tokens at once", stacklevel=2)
            continue
        order = order[: -len(rows)]
        head = loaded.model.get_output_embeddings() if loaded.plain_head else torch.nn.Identity()
        step = max(1, most_logits // (len(rows) * loaded.vocab_size))
        for start in range(0, width - 1, step):
            yield rows, start + 1, head(seen[:, start : start + step])
        if progress:
            progress(len(rows))


def targets(
    sequences: Sequence[Sequence[int]], rows: Sequence[int], start: int, logits: torch.Tensor, padding: int
) -> torch.Tensor:
    """The tokens that a piece of `read_logits` predicts, int64 [B, n] on its device; `padding` beyond a row's end."""
    stop = start + logits.shape[1]
    tokens = [[*sequences[i][start:stop], *[padding] * (stop - max(start, len(sequences[i])))] for i in rows]
    return torch.tensor(tokens, dtype=torch.int64, device=logits.device)


@torch.inference_mode()
def _has_plain_head(model) -> bool:
    ids = torch.arange(1, 9, device=model.device)[None]
    seen = model.get_output_embeddings()(model.base_model(input_ids=ids, use_cache=False)[0])
    return torch.allclose(seen.float(), model(input_ids=ids, use_cache=False).logits.float(), rtol=1e-2, atol=1e-2)


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
    """One line on why loading failed: by the kind of the error or of those that caused it, then by what it says."""
    kinds: set[str] = set()
    cause: BaseException | None = error
    while cause is not None:
        kinds |= {kind.__name__ for kind in type(cause).__mro__}
        cause = cause.__cause__ or cause.__context__
    text = " ".join(str(error).split())
    lowered = text.lower()

    def says(*words: str) -> bool:
        return any(word in lowered for word in words)

    if "GatedRepoError" in kinds or says("gated repo"):
        return "it is gated; accept its licence on its hub page and log in with `hf auth login`"
    if kinds & {"RepositoryNotFoundError", "RevisionNotFoundError"} or says(
        "is not a valid model identifier", "valid git identifier"
    ):
        return (
            "the hub has no such model or revision (a private one looks the same); check the name, the revision and `hf auth login`"
        )
    if kinds & {"LocalEntryNotFoundError", "OfflineModeIsEnabled", "ConnectError", "ConnectionError"} or says(
        "couldn't connect", "offline"
    ):
        return "it is not in the local cache and the hub cannot be reached; connect, or give the folder of a downloaded copy"
    if says("remote code", "trust_remote_code"):
        return "it needs code of its own to run, which is never executed here; choose a model that transformers supports"
    if says("model.safetensors", "safetensors files", "safetensors weights"):
        return "it has no safetensors weights, and other formats can carry code; convert it to safetensors first"
    if says(
        "repo id must",
        "not a local folder",
        "does not appear to have",
        "no such file",
        "incorrect path_or_model_id",
        "unrecognized model",
    ):
        return "there is no such folder or hub model, or the folder lacks its files; check the name and the revision"
    return text[:300]
