"""Detection against transformers' WatermarkDetector and MarkLLM, side by side in one run: ratios of throughput.

    make bench        or        .venv/bin/python tests/benchmarks/bench_detection.py [threads]

Corpus: 492 human programs, Qwen2.5's tokenizer, V = 151,936, context 1. The peers run on every 61st program and their time is scaled
by the number of tokens: they draw a permutation for each distinct pair of a text, whatever came before it.
"""

import statistics
import sys

import numpy as np
import torch
from common import DEVICE, KEY, V, corpus, in_turns, markllm, qwen2, ratio, seconds, start, tokenizer, verdict
from transformers import WatermarkDetector, WatermarkingConfig

from stone import Watermark, WatermarkConfig, load_problems, partition
from stone.cache import RankCache
from stone.entropy import token_entropies
from stone.models import LoadedModel, load_model, read_logits


def forget() -> None:
    partition.ranks = RankCache(partition.ranks.max_pairs)


def green_lists(tokens, texts: list[str], repeats: int = 3) -> None:
    def mark(**settings) -> Watermark:
        return Watermark(WatermarkConfig(key=KEY, **settings), tokens, vocab_size=V)

    kgw, other_gamma, other_method = mark(method="kgw"), mark(method="kgw", gamma=0.25), mark(method="stone")
    portable = mark(method="kgw", partition="portable")
    ids = tokens(texts, add_special_tokens=False)["input_ids"]
    some = ids[::61]
    total, part = sum(map(len, ids)), sum(map(len, some))
    config = WatermarkingConfig(greenlist_ratio=0.5, hashing_key=KEY, seeding_scheme="lefthash", context_width=1)
    model_config = qwen2(hidden_size=64, num_hidden_layers=1, num_attention_heads=2).config
    model_config.bos_token_id = -1  # the detector compares with it, and Qwen2.5 has none
    detector = WatermarkDetector(model_config, device="cpu", watermarking_config=config)

    def theirs() -> list[float]:
        return [detector(torch.tensor([text]), return_dict=True).z_score[0] for text in some]

    np.testing.assert_allclose([d.z for d in kgw.detect_many(some)], theirs(), rtol=1e-6)
    works = {
        "theirs": theirs,
        "forget": forget,
        "cold": lambda: kgw.detect_many(ids),
        "gamma": lambda: other_gamma.detect_many(ids),
        "method": lambda: other_method.detect_many(ids),
        "portable": lambda: portable.detect_many(ids),
        "tokenise": lambda: tokens(texts, add_special_tokens=False),
        "portable text": lambda: portable.detect_many(texts),
    }
    times = in_turns(works, repeats)
    peer = [t * total / part for t in times["theirs"]]
    share = ratio(times["portable text"], times["tokenise"])
    print(f"{len(texts)} texts, {total} tokens; transformers ran on {len(some)} of them ({part} tokens), scaled per token\n")
    print("| | time | tokens/s | ours is | goal |\n|---|---|---|---|---|")
    print(f"| transformers' WatermarkDetector | {statistics.median(peer):.1f} s | {total / statistics.median(peer):.0f} | | |")
    for name, label, goal in (
        ("cold", "ours, lefthash, cold cache", 15),
        ("gamma", "ours, lefthash, warm: another gamma", 300),
        ("method", "ours, lefthash, warm: another method", 300),
        ("portable", "ours, portable", 2000),
    ):
        took, times_faster = statistics.median(times[name]), ratio(peer, times[name])
        reached = times_faster >= goal or (name == "portable" and share <= 2)
        aim = f"{goal}x" + (" or within 2x of tokenisation" if name == "portable" else "")
        print(f"| {label} | {took:.3f} s | {total / took:.0f} | {times_faster:.0f}x | {aim}: {verdict(reached)} |")
    alone = statistics.median(times["tokenise"])
    print(f"| tokenisation alone | {alone:.3f} s | {total / alone:.0f} | | |")
    whole = statistics.median(times["portable text"])
    print(f"| ours, portable, tokenisation included | {whole:.3f} s | {total / whole:.0f} | {share:.2f} x its time | |")
    print(f"\nthe rank cache holds {len(partition.ranks)} pairs in {12 * len(partition.ranks) / 2**20:.1f} MiB\n")


def with_entropies(loaded: LoadedModel, what: str, texts: list[str], repeats: int = 2) -> None:
    """z of the same texts under the same model, on both sides from strings; ours with a cold cache."""
    tokens, v = loaded.tokenizer, loaded.vocab_size
    count = sum(map(len, tokens(texts, add_special_tokens=False)["input_ids"]))
    forward = seconds(lambda: [None for _ in read_logits(loaded, tokens(texts, add_special_tokens=False)["input_ids"])])
    print(f"\n{what}, V = {v}, on {DEVICE}; {len(texts)} texts, {count} tokens; the model alone, batched, {forward:.1f} s\n")
    print("| | time | ours is | goal |\n|---|---|---|---|")
    for method in ("sweet", "ewd"):
        peer = markllm(method.upper(), loaded.model, tokens, v, {"gamma": 0.5, "delta": 2.0, "prefix_length": 1})
        mark = Watermark(WatermarkConfig(method=method, gamma=0.5, delta=2.0, key=KEY), tokens, vocab_size=v)
        kind = "shannon" if method == "sweet" else (0.5, 2.0)

        def theirs(peer=peer) -> list[float]:
            return [peer.detect_watermark(text)["score"] for text in texts]

        def ours(mark=mark, kind=kind) -> list[float]:
            forget()
            ids = tokens(texts, add_special_tokens=False)["input_ids"]
            values = token_entropies(loaded, ids, [kind])
            return [d.z for d in mark.detect_many(ids, entropies=[v[kind] for v in values])]

        np.testing.assert_allclose(ours(), theirs(), rtol=1e-3, atol=1e-3)
        times = in_turns({"theirs": theirs, "ours": ours}, repeats)
        faster = ratio(times["theirs"], times["ours"])
        print(f"| MarkLLM's {method.upper()}, one by one | {statistics.median(times['theirs']):.2f} s | | |")
        print(
            f"| ours, {method} | {statistics.median(times['ours']):.2f} s | {faster:.1f}x | 4x: {verdict(faster >= 4)} |",
            flush=True,
        )


if __name__ == "__main__":
    start(*sys.argv[1:2])
    tokens, texts = tokenizer(), corpus()
    green_lists(tokens, texts)
    mini = load_model("mini", dtype="float32")
    with_entropies(mini, "the embedded model", [p.human_solution for p in load_problems("mini-python")[:64]])
    small = qwen2(hidden_size=64, intermediate_size=256, num_hidden_layers=2, num_attention_heads=2, initializer_range=0.5)
    with_entropies(LoadedModel("random", small, tokens, V, plain_head=True), "a random Qwen2, 2 layers, hidden 64", texts[::61])
    large = qwen2(initializer_range=0.1)
    with_entropies(
        LoadedModel("random", large, tokens, V, plain_head=True), "a random Qwen2 of the 0.5B models' shape", texts[::164]
    )
