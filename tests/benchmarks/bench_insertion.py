"""Cost of the logits processors in one step of generation, beside MarkLLM's and transformers', as a share of a 0.5B model's step.

    make bench        or        .venv/bin/python tests/benchmarks/bench_insertion.py [threads]

A Qwen2 of the 0.5B models' shape with random weights, V = 151,936. Rows of a batch are different human programs, and a step goes one
token further in each; "first" is such a run with no mask drawn before, "again" the same run once more.
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

STEPS, PREFIX = 6, 20


@torch.inference_mode()
def model_steps(sizes: tuple[int, ...]) -> dict[int, tuple[float, str]]:
    """Median seconds of a step by batch size, in the quicker precision."""
    best: dict[int, tuple[float, str]] = {}
    for dtype in (torch.float32, torch.bfloat16):
        model = qwen2(dtype)
        for size in sizes:
            one = torch.randint(0, V, (size, 1), device=DEVICE)
            step = partial(model, one, past_key_values=DynamicCache(config=model.config), use_cache=True)
            took = [seconds(step) for _ in range(3)]
            best[size] = min(best.get(size, (float("inf"), "")), (statistics.median(took[1:]), str(dtype).removeprefix("torch.")))
        del model, step
    return best


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
def run(processor: Callable, texts: torch.Tensor, scores: torch.Tensor) -> float:
    """Mean seconds a step, over a run of STEPS; the copy that spares the scores from MarkLLM's change in place is not counted."""
    took = []
    for step in range(STEPS):
        ids, copy = texts[:, : PREFIX + step], scores.clone()
        took.append(seconds(lambda ids=ids, copy=copy: processor(ids, copy)))
    return statistics.mean(took)


def main() -> None:
    tokens, sizes = tokenizer(), (1, 8, 64)
    rows = [ids[: PREFIX + STEPS] for ids in tokens(corpus()[::7])["input_ids"] if len(ids) >= PREFIX + STEPS]
    steps = model_steps(sizes)
    makers = processors(tokens)
    for size in sizes:
        model_step, precision = steps[size]
        texts = torch.tensor(rows[:size], device=DEVICE)
        scores = torch.randn(size, V, device=DEVICE) * 3
        print(f"\nbatch {size}: the model's step takes {model_step * 1000:.0f} ms ({precision}), {STEPS} steps on {DEVICE}\n")
        print(
            "| | first, ms a step | share of the step | again, ms a step | share | goal 5 %: first, again |\n|---|---|---|---|---|---|"
        )
        for name, make in makers.items():
            seen = []
            for _ in range(2):
                processor = make()
                seen.append((run(processor, texts, scores), run(processor, texts, scores)))
            first, again = (statistics.median(column) for column in zip(*seen, strict=True))
            reached = [verdict(cost < 0.05 * model_step) for cost in (first, again)]
            goal = "{}, {}".format(*reached) if name.startswith("ours") else ""
            cells = f"{first * 1e3:.1f} | {first / model_step:.1%} | {again * 1e3:.1f} | {again / model_step:.1%}"
            print(f"| {name} | {cells} | {goal} |", flush=True)


if __name__ == "__main__":
    start(*sys.argv[1:2])
    main()
