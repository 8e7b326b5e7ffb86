"""How CodeIP marks: the logits processor of `stone.methods.codeip`."""

import torch
from transformers import LogitsProcessor

from stone.sampling import top
from stone.type_predictor import types_of_ids


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
        _, candidates = top(scores, min(self.top_k or scores.shape[1], scores.shape[1]))
        bonus = self.mark.config.delta * self.mark.partition.among(input_ids[:, -1], candidates)
        marked = scores.scatter_add(1, candidates, bonus.to(scores.dtype))
        if self._types is None:
            return marked
        texts = self.mark.tokenizer.batch_decode(input_ids, skip_special_tokens=True)
        wanted = self.mark.type_predictor.next_types(texts)
        fits = (self._types[None] == wanted[:, None]).to(scores.device)
        marked[:, : self.mark.vocab_size] += self.mark.config.type_bias * fits[:, : scores.shape[1]]
        return marked
