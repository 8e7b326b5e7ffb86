"""Batched generation against `generate` one prompt at a time with MarkLLM's processor, as the authors' release does it.

    make bench        or        .venv/bin/python tests/benchmarks/bench_generation.py [threads]

The embedded model, KGW on both sides, sampled with top-k 50. "Full length" lets no text end before
its last token, so that both sides write the same number of tokens; "as used" stops ours at the function's end, and MarkLLM at the end token.
"""

import statistics
import sys

from common import DEVICE, KEY, in_turns, markllm, ratio, start, verdict

from stone import Watermark, WatermarkConfig, load_problems
from stone.generation import Decoding, generate
from stone.models import load_model

TOKENS = 128


def main(repeats: int = 3) -> None:
    loaded = load_model("mini", dtype="float32")
    problems = load_problems("mini-python")[:64]
    mark = Watermark(WatermarkConfig(method="kgw", gamma=0.5, delta=2.0, key=KEY), loaded.tokenizer, vocab_size=loaded.vocab_size)
    shown = {"gamma": 0.5, "delta": 2.0, "prefix_length": 1}
    print(f"the embedded model, V = {loaded.vocab_size}, on {DEVICE}; {len(problems)} prompts\n")
    print("| | completions/s | ours is | goal |\n|---|---|---|---|")
    for name, least, decoding in (
        ("full length", {"min_new_tokens": TOKENS}, Decoding(TOKENS, stop_at_function_end=False, min_length=10**6)),
        ("as used", {}, Decoding(TOKENS)),
    ):
        sampling = {"do_sample": True, "top_k": 50, "max_new_tokens": TOKENS, **least}
        peer = markllm("KGW", loaded.model, loaded.tokenizer, loaded.vocab_size, shown, **sampling)
        works = {
            "MarkLLM, one prompt at a time": lambda peer=peer: [peer.generate_watermarked_text(p.prompt) for p in problems],
            "ours, batches of 64": lambda decoding=decoding: generate(loaded, problems, mark, 1, 0, decoding),
        }
        theirs, ours = in_turns(works, repeats).values()
        faster = ratio(theirs, ours)
        print(f"| {name}: MarkLLM, one prompt at a time | {len(problems) / statistics.median(theirs):.2f} | | |")
        goal = f"5x: {verdict(faster >= 5)}"
        print(
            f"| {name}: ours, batches of {decoding.batch_size} | {len(problems) / statistics.median(ours):.2f} | {faster:.1f}x | {goal} |",
            flush=True,
        )


if __name__ == "__main__":
    start(*sys.argv[1:2])
    main()
