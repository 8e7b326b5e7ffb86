"""CodeIP (Guan et al. 2024; paper, appendix on CodeIP): among the top-k candidates those whose message bit is 1 get +delta, and all tokens that
begin with the predicted lexical type get +type_bias. Detection with the known message counts bits, z = (c - n/2) / sqrt(n/4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stone.methods.method import Method, every_token

if TYPE_CHECKING:
    from stone.message import MessagePartition


def partition(config) -> MessagePartition:
    """Green means bit 1. The message is the key's low `message_bits` bits."""
    from stone.message import MessagePartition

    return MessagePartition(config.key % 2**config.message_bits, config.message_bits, config.vocab_size)


def insertion(mark, sampler):
    """The logits processor; only candidates among the sampler's top k carry bits."""
    from stone.methods.codeip_insertion import CodeIPInsertion

    return CodeIPInsertion(mark, sampler.top_k)


METHOD = Method(
    name="codeip",
    selected=every_token,
    weights=lambda text: every_token(text).astype(float),
    only={"gamma": 0.5, "context": 1},
    partition=partition,
    insertion=insertion,
)
