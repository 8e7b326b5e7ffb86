"""CodeIP (Guan et al. 2024; paper, appendix on CodeIP): among the top-k candidates those whose message bit is 1 get +delta, and all tokens that
begin with the predicted lexical type get +type_bias. Detection with the known message counts bits, z = (c - n/2) / sqrt(n/4)."""

import torch
from transformers import LogitsProcessor

from stone.message import MessagePartition
from stone.methods.method import Method, every_token, everywhere
from stone.type_predictor import types_of_ids


def partition(config) -> MessagePartition:
    """Green means bit 1. The message is the key's low `message_bits` bits."""
    return MessagePartition(config.key % 2**config.message_bits, config.message_bits, config.vocab_size)


class CodeIPInsertion(LogitsProcessor):
    """input_ids [B, L], scores [B, W] -> scores + delta * bit + type_bias * type; top_k : how many candidates carry bits (None: all)."""

    def __init__(self, mark, top_k: int | None):
        self.mark, self.top_k = mark, top_k
        self._types = None
        if mark.config.type_bias:
            if mark.type_predictor is None:
                raise ValueError(
                    f"type_bias is {mark.config.type_bias} but there is no type predictor; give Watermark one "
                    "(type_predictor=stone.type_predictor.load_predictor(path)), or set type_bias to 0"
                )
            self._types = torch.from_numpy(types_of_ids(mark.tokenizer, mark.config.language, mark.vocab_size))

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        candidates = scores.topk(min(self.top_k or scores.shape[1], scores.shape[1]), dim=-1).indices
        bonus = self.mark.config.delta * self.mark.partition.among(input_ids[:, -1], candidates)
        marked = scores.scatter_add(1, candidates, bonus.to(scores.dtype))
        if self._types is None:
            return marked
        texts = self.mark.tokenizer.batch_decode(input_ids, skip_special_tokens=True)
        wanted = self.mark.type_predictor.next_types(texts)
        fits = (self._types[None] == wanted[:, None]).to(scores.device)
        marked[:, : self.mark.vocab_size] += self.mark.config.type_bias * fits[:, : scores.shape[1]]
        return marked


METHOD = Method(
    name="codeip",
    favoured=everywhere,
    selected=every_token,
    weights=lambda text: every_token(text).astype(float),
    only={"gamma": 0.5, "context": 1},
    partition=partition,
    insertion=lambda mark, sampler: CodeIPInsertion(mark, sampler.top_k),
)
