"""What the benchmarks of speed share: the corpus, models of the usual shapes, MarkLLM, and how to time and report."""

import gzip
import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from tokenizers import Tokenizer
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM
from transformers.utils import logging

from stone import load_problems

DATA = Path(os.environ.get("STONE_DATA", "../shared/data"))
V = 151_936  # logits of Qwen2.5
KEY = 15485863
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
logging.set_verbosity_error()
logging.disable_progress_bar()


def start(threads: str = "1") -> None:
    """One thread unless told otherwise: on a shared machine the wait for a second one costs some peers (torch.randperm) far more."""
    torch.set_num_threads(int(threads))
    gpu = torch.cuda.get_device_name() if DEVICE == "cuda" else "no GPU"
    print(f"{platform.machine()}, {os.cpu_count()} cores, {gpu}; torch {torch.__version__}, {threads} thread(s) for all\n")


def tokenizer() -> PreTrainedTokenizerFast:
    with gzip.open(DATA / "qwen2.5-tokenizer" / "tokenizer.json.gz", "rt") as file:
        return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(file.read()))


def corpus() -> list[str]:
    """164 HumanEval+ and 328 HumanEvalPack (C++, Java) programs: prompt and human solution."""
    names = ("humanevalplus", "hep-cpp", "hep-java")
    return [p.human_solution for name in names for p in load_problems(name, source=DATA)]


def qwen2(dtype: torch.dtype = torch.float32, **shape) -> Qwen2ForCausalLM:
    """A Qwen2 with random weights; the default shape is that of the 0.5B models."""
    usual: dict = {"hidden_size": 896, "intermediate_size": 4864, "num_hidden_layers": 24, "num_attention_heads": 14}
    config = Qwen2Config(vocab_size=V, num_key_value_heads=2, tie_word_embeddings=True, bos_token_id=None, **usual | shape)
    torch.manual_seed(0)
    return Qwen2ForCausalLM(config).to(DEVICE, dtype).eval()


def markllm(name: str, model, tokenizer, vocab_size: int, settings: dict | None = None, **generation):
    """A watermark of MarkLLM, by its own loader, with its own settings except those given."""
    try:
        from markllm.utils.transformers_config import TransformersConfig
        from markllm.watermark import auto_watermark
    except ImportError as error:
        raise SystemExit(f"MarkLLM cannot be imported ({error}); `make bench` installs it") from None
    shipped = Path(auto_watermark.__file__).parent.parent / "config" / f"{name}.json"
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder) / "config.json"
        config.write_text(json.dumps(json.loads(shipped.read_text()) | {"hash_key": KEY} | (settings or {})))
        where = TransformersConfig(model, tokenizer, vocab_size=vocab_size, device=DEVICE, **generation)
        return auto_watermark.AutoWatermark.load(name, str(config), where)


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    if DEVICE == "cuda":
        torch.cuda.synchronize()
    return time.perf_counter() - begin


def in_turns(works: dict[str, Callable[[], object]], repeats: int) -> dict[str, list[float]]:
    """Seconds of each work, `repeats` times; they take turns, so that a disturbance hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            times[name].append(seconds(work))
    return times


def ratio(theirs: Sequence[float], ours: Sequence[float]) -> float:
    """Median over the repeats of theirs / ours."""
    return statistics.median(a / b for a, b in zip(theirs, ours, strict=True))


def verdict(reached: bool) -> str:
    return "reached" if reached else "MISSED"
