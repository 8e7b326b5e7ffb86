"""Cost of the logits processors in one step of generation, beside MarkLLM's and transformers', as a share of a 0.5B model's step.

    make bench        or        .venv/bin/python tests/benchmarks/bench_insertion.py [threads]

A Qwen2 of the 0.5B models' shape with random weights, V = 151,936. Rows of a batch are different human programs, and a step goes one
token further in each. A run starts with no mask drawn; its first steps draw the most, so they are shown apart. MarkLLM's and transformers'
processors remember nothing: a few steps show their cost.
"""

import statistics
import sys
from collections.abc import Callable
from functools import partial

import torch
from common import DEVICE, KEY, V, corpus, markllm, qwen2, seconds, start, tokenizer, verdict
from transformers import DynamicCache, WatermarkLogitsProcessor

from stone import Watermark, WatermarkConfig
from stone.sampling import KeyedSampler

FIRST, RUN, PREFIX = 6, 100, 20  # steps, steps, tokens before them
PRECISIONS = ("float32", "bfloat16")  # stone's own on a CPU, and on a GPU (some CPUs multiply it faster too)
GOAL = 0.05 if DEVICE == "cpu" else 0.02


@torch.inference_mode()
def model_steps(sizes: tuple[int, ...]) -> dict[tuple[int, str], float]:
    """Median seconds of a step by batch size and precision."""
    steps = {}
    for precision in PRECISIONS:
        model = qwen2(getattr(torch, precision))
        for size in sizes:
            one = torch.randint(0, V, (size, 1), device=DEVICE)
            step = partial(model, one, past_key_values=DynamicCache(config=model.config), use_cache=True)
            steps[size, precision] = statistics.median([seconds(step) for _ in range(4)][1:])
        del model, step
    return steps


def processors(tokens) -> dict[str, Callable[[], Callable]]:
    """Makers of fresh processors, so that nothing is drawn before a run."""

    def ours(method: str, partition: str = "lefthash") -> Callable[[], Callable]:
        def make():
            mark = Watermark(WatermarkConfig(method=method, delta=2.0, key=KEY, partition=partition), tokens, vocab_size=V)
            return mark.processor(0, sampler=KeyedSampler(0, top_k=50), in_place=True)

        return make

    def theirs(name: str) -> Callable[[], Callable]:
        return lambda: markllm(name, None, tokens, V, {"gamma": 0.5, "delta": 2.0, "prefix_length": 1}).logits_processor

    return {
        "MarkLLM KGW": theirs("KGW"),
        "MarkLLM SWEET": theirs("SWEET"),
        "transformers": lambda: WatermarkLogitsProcessor(V, DEVICE, greenlist_ratio=0.5, bias=2.0, hashing_key=KEY),
        **{f"ours {method}": ours(method) for method in ("kgw", "sweet", "stone", "stone_plus")},
        "ours kgw, portable": ours("kgw", "portable"),
    }


@torch.inference_mode()
def run(processor: Callable, texts: torch.Tensor, scores: torch.Tensor, steps: int) -> list[float]:
    """Seconds of each step; the copy that spares the scores from a change in place is not counted."""
    took = []
    for step in range(steps):
        ids, copy = texts[:, : PREFIX + step], scores.clone()
        took.append(seconds(lambda ids=ids, copy=copy: processor(ids, copy)))
    return took


def main() -> None:
    tokens, sizes = tokenizer(), (1, 8, 64)
    rows = [ids[: PREFIX + RUN] for ids in tokens(corpus()[::3])["input_ids"] if len(ids) >= PREFIX + RUN]
    model_step = model_steps(sizes)
    makers = processors(tokens)
    for size in sizes:
        texts = torch.tensor(rows[:size], device=DEVICE)
        scores = torch.randn(size, V, device=DEVICE) * 3
        took = ", ".join(f"{model_step[size, precision] * 1000:.0f} ms in {precision}" for precision in PRECISIONS)
        print(f"\nbatch {size}, {DEVICE}: the model's step takes {took}\n")
        print(
            f"| | ms a step, first {FIRST} | run of {RUN} | {' | '.join(f'run, of the {p} step' for p in PRECISIONS)} | goal {GOAL:.0%} |"
        )
        print("|---" * (4 + len(PRECISIONS)) + "|")
        for name, make in makers.items():
            ours = name.startswith("ours")
            steps = run(make(), texts, scores, RUN if ours else FIRST)
            first, mean = statistics.mean(steps[:FIRST]), statistics.mean(steps)
            shares = [mean / model_step[size, precision] for precision in PRECISIONS]
            reached = (
                ", ".join(f"{verdict(share < GOAL)} in {p}" for share, p in zip(shares, PRECISIONS, strict=True)) if ours else ""
            )
            print(
                f"| {name} | {first * 1e3:.1f} | {mean * 1e3:.1f} | {' | '.join(f'{s:.1%}' for s in shares)} | {reached} |",
                flush=True,
            )


if __name__ == "__main__":
    start(*sys.argv[1:2])
    main()
