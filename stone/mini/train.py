"""Trains the embedded models from scratch on the synthetic corpus: a Qwen2-architecture coder and a Starcoder2-architecture judge."""

import json
import math
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from tqdm import tqdm
from transformers import (
    PreTrainedModel,
    PreTrainedTokenizerFast,
    Qwen2Config,
    Qwen2ForCausalLM,
    Starcoder2Config,
    Starcoder2ForCausalLM,
)

from stone.mini.synthesis import documents

LANGUAGES = ("python", "cpp", "java")
END = "<|endoftext|>"
# Qwen2.5's split: words, digits, punctuation with the newlines after it, runs of white space.
_SPLIT = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"


@dataclass(frozen=True)
class Recipe:
    """Size and schedule of one model."""

    name: str
    architecture: str  # "qwen2" or "starcoder2"
    seed: int
    vocab_size: int
    hidden: int
    layers: int
    heads: int
    intermediate: int
    steps: int
    batch_tokens: int = 4_096
    learning_rate: float = 3e-3


CODER = Recipe("coder", "qwen2", 1, 2048, 192, 5, 6, 512, steps=2300)
JUDGE = Recipe("judge", "starcoder2", 2, 1536, 128, 4, 4, 512, steps=800)


def train(output: Path, recipes: tuple[Recipe, ...] = (CODER, JUDGE), device: str | None = None) -> dict[str, float]:
    """Train the models of `recipes` into folders below `output`; returns the last training loss of each (nats per token)."""
    device = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return {recipe.name: _train_one(recipe, output / recipe.name, device) for recipe in recipes}


def texts(seed: int, languages: tuple[str, ...] = LANGUAGES) -> Iterator[str]:
    """Endless corpus, languages interleaved."""
    streams = [documents(language, 10**9, seed) for language in languages]
    while True:
        for stream in streams:
            document = next(stream)
            yield document.prompt + document.solution


def train_tokenizer(vocab_size: int, seed: int, sample: int = 6000) -> PreTrainedTokenizerFast:
    """Byte-level BPE over a sample of the corpus."""
    tokenizer = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(_SPLIT), behavior="isolated")
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([split, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocab_size, special_tokens=[END], initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator(islice(texts(seed), sample), trainer)
    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token=END, pad_token=END, padding_side="left")


def build(recipe: Recipe, end: int) -> torch.nn.Module:
    """A randomly initialised model of the recipe's architecture."""
    torch.manual_seed(recipe.seed)
    shared: dict[str, Any] = {
        "vocab_size": recipe.vocab_size,
        "hidden_size": recipe.hidden,
        "num_hidden_layers": recipe.layers,
        "num_attention_heads": recipe.heads,
        "num_key_value_heads": recipe.heads // 2,
        "intermediate_size": recipe.intermediate,
        "max_position_embeddings": 2048,
        "tie_word_embeddings": True,
        "bos_token_id": end,
        "eos_token_id": end,
        "pad_token_id": end,
    }
    if recipe.architecture == "qwen2":
        return Qwen2ForCausalLM(Qwen2Config(**shared))
    return Starcoder2ForCausalLM(Starcoder2Config(**shared, residual_dropout=0.0, embedding_dropout=0.0, attention_dropout=0.0))


def batches(tokenizer, seed: int, batch_tokens: int, end: int) -> Iterator[torch.Tensor]:
    """Right-padded id batches [B, L] of about `batch_tokens` ids; documents of like length share a batch; -1 pads."""
    rng, corpus = np.random.default_rng(seed), texts(seed)
    while True:
        pool = [[*ids, end] for ids in tokenizer(list(islice(corpus, 1536)))["input_ids"]]
        pool.sort(key=len)
        groups, start = [], 0
        while start < len(pool):
            size = max(1, batch_tokens // len(pool[min(start + 64, len(pool) - 1)]))
            groups.append(pool[start : start + size])
            start += size
        for g in rng.permutation(len(groups)):
            width = max(map(len, groups[g]))
            yield torch.tensor([ids + [-1] * (width - len(ids)) for ids in groups[g]])


def _train_one(recipe: Recipe, folder: Path, device: str) -> float:
    tokenizer = train_tokenizer(recipe.vocab_size, recipe.seed)
    model = build(recipe, tokenizer.eos_token_id).to(device)
    started = time.time()
    loss = _fit(model, tokenizer, recipe)
    save(model, tokenizer, folder)
    summary = {"recipe": asdict(recipe), "loss": loss, "minutes": (time.time() - started) / 60}
    (folder / "training.json").write_text(json.dumps(summary, indent=2) + "\n")
    return loss


def _fit(model: torch.nn.Module, tokenizer, recipe: Recipe) -> float:
    """One cosine cycle; returns the smoothed loss at its end."""
    end, device = tokenizer.eos_token_id, next(model.parameters()).device
    model.train()
    optimizers = _optimizers(model, recipe.learning_rate)
    schedules = [torch.optim.lr_scheduler.LambdaLR(o, lambda step: _rate(step, recipe.steps)) for o in optimizers]
    stream = islice(batches(tokenizer, recipe.seed, recipe.batch_tokens, end), recipe.steps)
    progress = tqdm(stream, total=recipe.steps, desc=recipe.name)
    smooth = math.nan
    for batch in progress:
        batch = batch.to(device)
        # Pads stand at the end, where a causal model cannot see them: no attention mask is needed.
        logits = model(input_ids=batch.masked_fill(batch < 0, end), use_cache=False).logits[:, :-1]
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[:, 1:].flatten(), ignore_index=-1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        for optimizer, schedule in zip(optimizers, schedules, strict=True):
            optimizer.step()
            schedule.step()
        model.zero_grad(set_to_none=True)
        smooth = loss.item() if math.isnan(smooth) else 0.95 * smooth + 0.05 * loss.item()
        progress.set_postfix(loss=f"{smooth:.3f}", refresh=False)
    return smooth


def _optimizers(model: torch.nn.Module, learning_rate: float) -> list[torch.optim.Optimizer]:
    """Muon for the matrices between the layers, AdamW for embeddings, norms and biases."""
    named = list(model.named_parameters())
    inner = [p for name, p in named if p.ndim == 2 and "embed" not in name]
    outer = [p for name, p in named if p.ndim != 2 or "embed" in name]
    muon = torch.optim.Muon(inner, lr=learning_rate, weight_decay=0.1, adjust_lr_fn="match_rms_adamw")
    return [muon, torch.optim.AdamW(outer, lr=learning_rate, betas=(0.9, 0.95), weight_decay=0.0, fused=True)]


def _rate(step: int, steps: int) -> float:
    """Linear warm-up over 4 % of the steps, then cosine to 5 %."""
    warm = max(1, steps // 25)
    return (step + 1) / warm if step < warm else 0.05 + 0.475 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def save(model: PreTrainedModel, tokenizer, folder: Path) -> None:
    """bf16 safetensors beside the tokenizer."""
    folder.mkdir(parents=True, exist_ok=True)
    state = {name: tensor.to(torch.bfloat16) for name, tensor in model.state_dict().items()}
    model.save_pretrained(folder, state_dict=state)
    tokenizer.save_pretrained(folder)
