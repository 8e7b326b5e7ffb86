"""The watermark: a frozen config, a logits processor that inserts it, and a detector."""

import json
from dataclasses import asdict, dataclass, fields, replace

import numpy as np
import torch
from transformers import LogitsProcessor

from stone import entropy, sampling, scoring, syntax
from stone.masks import GreenMasks
from stone.methods import METHODS, Scored, Step
from stone.partition import RULES, Partition
from stone.rows import rows_at_once
from stone.type_predictor import TypePredictor

CANDIDATES = ("sample", "argmax", "coupled")
STATISTICS = ("paper", "released")
_CANDIDATE_DRAW = 0x5EED  # the independent candidate draw has noise of its own


@dataclass(frozen=True)
class WatermarkConfig:
    """Settings of a watermark; everything that detection needs besides the tokenizer.

    Parameters
    ----------
    method : "kgw", "ewd", "sweet", "stone" or "stone_plus"; for ablations its halves "stone_composed", "stone_coupled"; beside them
        "codeip" and "watermod" (gamma 0.5 only: their bits are fair), and "acw", which rewrites finished code and reads language and key alone.
    gamma : green-list ratio, in (0, 1).
    delta : logit bias of green tokens, at least 0.
    key : secret integer, at least 0.
    context : h, number of previous tokens that seed a green list; at least 0.
    partition : green-list rule, see `stone.partition.RULES`.
    language : whose syntax elements are spared: "python", "cpp" or "java".
    match : "exact" (paper) or "composed", see `stone.syntax.classify`.
    entropy_threshold : SWEET's threshold in nats.
    candidate : STONE's candidate: "sample" (paper), "argmax" (the authors' release, per row), "coupled" (shares the final noise).
    vocab_size : V that the green lists cover; None takes the `vocab_size` given to `Watermark`. Ids above it are never green.
    distinct : score each distinct (context, token) once; repeats have weight 0, so that they can't inflate z.
    message_bits : length of CodeIP's message, which is the key's low bits. type_bias : logit bias of the predicted lexical type (CodeIP's second
        term, gamma in its paper); above 0 it takes a type predictor, see `Watermark`.
    statistic : STONE's z: "paper" (Algorithm 2), or "released": what the authors' code computes, see `stone.scoring.released_z_score`.

    Raises ValueError naming the key, its value and what is allowed. `stone_plus` and its halves prescribe match and candidate and set them.
    """

    method: str = "stone"
    gamma: float = 0.5
    delta: float = 0.5
    key: int = 15485863
    context: int = 1
    partition: str = "lefthash"
    language: str = "python"
    match: str = "exact"
    entropy_threshold: float = 0.9
    candidate: str = "sample"
    vocab_size: int | None = None
    distinct: bool = False
    message_bits: int = 20
    type_bias: float = 0.0
    statistic: str = "paper"

    def __post_init__(self) -> None:
        for name, allowed in (
            ("method", tuple(METHODS)),
            ("partition", RULES),
            ("language", syntax.LANGUAGES),
            ("match", syntax.MATCHES),
            ("candidate", CANDIDATES),
            ("statistic", STATISTICS),
            ("distinct", (False, True)),
        ):
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}; allowed: {', '.join(map(str, allowed))}")
        if not 0 < self.gamma < 1:
            raise ValueError(f"gamma is {self.gamma}; it must lie strictly between 0 and 1")
        if not (self.delta >= 0 and np.isfinite(self.delta)):
            raise ValueError(f"delta is {self.delta}; it must be a finite number of at least 0")
        if not (self.type_bias >= 0 and np.isfinite(self.type_bias)):
            raise ValueError(f"type_bias is {self.type_bias}; it must be a finite number of at least 0")
        for name, least in (("context", 0), ("key", 0), ("vocab_size", 1), ("message_bits", 1)):
            value = getattr(self, name)
            if value is None and name == "vocab_size":
                continue
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise ValueError(f"{name} is {value!r}; it must be an integer of at least {least}")
        method = METHODS[self.method]
        for name, only in method.only.items():
            if getattr(self, name) != only:
                raise ValueError(f"{name} is {getattr(self, name)!r}; with {self.method} it must be {only!r}")
        for name in ("match", "candidate"):
            object.__setattr__(self, name, getattr(method, name) or getattr(self, name))

    def to_json(self) -> str:
        """The settings as JSON, keys sorted."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> "WatermarkConfig":
        """Read `to_json`'s text. Raises ValueError for text that is no JSON object or has unknown keys."""
        try:
            values = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"the watermark config is no JSON ({error}); write it with WatermarkConfig.to_json") from None
        known = [f.name for f in fields(cls)]
        if not isinstance(values, dict) or set(values) - set(known):
            odd = sorted(set(values) - set(known)) if isinstance(values, dict) else type(values).__name__
            raise ValueError(f"the watermark config holds {odd}; allowed keys: {', '.join(known)}")
        return cls(**values)


@dataclass(frozen=True)
class Detection:
    """What a detector found in a text of L tokens.

    z : weighted z-score; p_value : one-sided; scored, green : numbers of tokens that count, and of green ones among them.
    flags : int8 [L], 1 green, 0 red, -1 no context. weights : float64 [L], 0 for tokens that don't count.
    """

    z: float
    p_value: float
    scored: int
    green: int
    flags: np.ndarray
    weights: np.ndarray


class Watermark:
    """A watermark for one tokenizer.

    Parameters
    ----------
    config : WatermarkConfig.
    tokenizer : transformers tokenizer of the model.
    vocab_size : V, the width of the model's logits (it may exceed len(tokenizer)). Default: config.vocab_size, else len(tokenizer).
    type_predictor : `stone.type_predictor.TypePredictor` of the config's language; only inserting CodeIP with a type bias needs it.
    mask_bytes : bound of the green masks that are kept between steps of generation, on the model's device; V/8 bytes a context.
    """

    def __init__(
        self,
        config: WatermarkConfig,
        tokenizer,
        vocab_size: int | None = None,
        type_predictor: TypePredictor | None = None,
        mask_bytes: int = 128 * 2**20,
    ):
        if config.vocab_size is not None and vocab_size not in (None, config.vocab_size):
            raise ValueError(
                f"vocab_size {vocab_size} differs from the config's {config.vocab_size}; marking and detecting need the same V"
            )
        self.vocab_size = vocab_size or config.vocab_size or len(tokenizer)
        self.config = replace(config, vocab_size=self.vocab_size)
        self.tokenizer, self.type_predictor = tokenizer, type_predictor
        self.method = METHODS[config.method]
        self.partition = (self.method.partition or _green_lists)(self.config)
        self.masks = GreenMasks(self.partition, mask_bytes)
        self.classes = syntax.classify(tokenizer, config.language, config.match, max(self.vocab_size, len(tokenizer)))

    def processor(
        self, seed: int = 0, streams=None, start: int = 0, sampler: sampling.KeyedSampler | None = None, in_place: bool = False
    ) -> LogitsProcessor:
        """A transformers LogitsProcessor that adds delta to the favoured logits; right for any batch size.

        seed, streams, start : name the candidate's noise, see `stone.sampling.KeyedSampler`.
        sampler : the sampler of the final tokens (default: one over the whole vocabulary); a coupled candidate draws with it, CodeIP's candidates
            are its top k.
        in_place : write into the scores that it is given, which spares every step a tensor of their size. Not for `generate` with `output_logits`,
            which would then return marked logits. CodeIP returns new ones in any case.

        Raises ValueError for a post-hoc method, which marks finished text.
        """
        if self.method.posthoc:
            raise ValueError(
                f"{self.config.method} marks finished code, not logits; generate without a mark, then use Watermark.mark"
            )
        sampler = sampler or sampling.KeyedSampler(seed, streams, start)
        if self.method.insertion:
            return self.method.insertion(self, sampler)
        return Insertion(self, seed, streams, start, sampler, in_place)

    def mark(self, code: str, start: int = 0) -> str:
        """Finished code with a post-hoc mark put in; its first `start` characters (the prompt) stay.

        Raises ValueError for a method that marks while code is generated.
        """
        if not self.method.posthoc:
            raise ValueError(
                f"{self.config.method} marks while code is generated; give Watermark.processor() to the model's generate"
            )
        return self.method.posthoc.mark(code, start, self.config.language, self.config.key)

    def detect(self, token_ids, prompt_length: int = 0, entropies=None, model=None) -> Detection:
        """Score a text (list or array of ids, or str) by Algorithm 2 with the method's weights.

        prompt_length : the first so many tokens are context only. entropies : one per token, entry i for the prediction of token i
        (Shannon for sweet, spike for ewd, ranks for watermod). model : a causal LM that computes them when they aren't given.

        A post-hoc method scores places of the code, not tokens: `scored` and `green` count those, flags are -1 and weights 0.
        Raises ValueError when the method needs entropies and neither is given, or their number is wrong.
        """
        if self.method.posthoc:
            return self._read(token_ids, prompt_length)
        ids = self._ids(token_ids)
        return self._scored(ids, self._flags([ids])[0], prompt_length, entropies, model)

    def detect_many(self, texts, prompt_lengths=None, entropies=None) -> list[Detection]:
        """`detect` for many texts at once: each distinct context of all of them is looked up once, which is most of the work.

        texts : lists of ids, or strings; prompt_lengths : one number each (default 0); entropies : one array each (default: none given).
        """
        prompts = [0] * len(texts) if prompt_lengths is None else prompt_lengths
        if self.method.posthoc:
            return [self._read(text, prompt) for text, prompt in zip(texts, prompts, strict=True)]
        ids = self._many_ids(texts)
        given = [None] * len(ids) if entropies is None else entropies
        return [
            self._scored(text, flags, prompt, each, None)
            for text, flags, prompt, each in zip(ids, self._flags(ids), prompts, given, strict=True)
        ]

    def _scored(self, ids: np.ndarray, flags: np.ndarray, prompt_length: int, entropies, model) -> Detection:
        start = min(max(self.config.context, prompt_length), len(ids))
        classes = self.classes_of(ids)
        entropies = self._entropies(ids, entropies, model)
        kept = self._first_occurrences(ids, start) if self.config.distinct else np.arange(start, len(ids))
        text = Scored(
            tokens=ids[kept],
            syntax=classes[kept],
            green=flags[kept] == 1,
            readings=np.full(len(kept), np.nan) if entropies is None else entropies[kept],
            entropy_threshold=self.config.entropy_threshold,
        )
        selected, weights, green = self.method.selected(text), self.method.weights(text), self.method.green(text)
        if self.config.statistic == "released" and self.config.method == "stone":
            total = int((classes[prompt_length:] != 0).sum()) - self.config.context
            z = scoring.released_z_score(int((selected & green).sum()), total, self.config.gamma)
            p_value = scoring.normal_p_value(z)
        else:
            z = scoring.z_score(green, weights, self.config.gamma)
            p_value = scoring.p_value(green, weights, self.config.gamma)
        all_weights, flags = np.zeros(len(ids)), flags.copy()
        all_weights[kept], flags[kept] = weights, green
        return Detection(z, p_value, int(selected.sum()), int((selected & green).sum()), flags, all_weights)

    def _read(self, text, prompt_length: int) -> Detection:
        """A post-hoc method's score."""
        assert self.method.posthoc
        ids = self._ids(text)
        code = text if isinstance(text, str) else self._text(ids)
        start = len(self._text(ids[:prompt_length]))
        matches = self.method.posthoc.matches(code, start, self.config.language, self.config.key)
        ones, gamma = np.ones(len(matches)), self.config.gamma
        z, p_value = scoring.z_score(matches, ones, gamma), scoring.p_value(matches, ones, gamma)
        return Detection(z, p_value, len(matches), int(matches.sum()), np.full(len(ids), -1, np.int8), np.zeros(len(ids)))

    def classes_of(self, ids: np.ndarray) -> np.ndarray:
        """Syntax class of each id, int8; ids that the tokenizer lacks have none."""
        last = len(self.classes) - 1
        return np.where(ids <= last, self.classes[np.minimum(ids, last)], 0)

    def _ids(self, text) -> np.ndarray:
        if isinstance(text, str):
            text = self.tokenizer(text, add_special_tokens=False)["input_ids"]
        ids = np.asarray(text, dtype=np.int64)
        if ids.ndim != 1 or (len(ids) and ids.min() < 0):
            raise ValueError(f"token ids have shape {ids.shape}; detect takes one text: a flat list of ids >= 0, or a string")
        return ids

    def _text(self, ids: np.ndarray) -> str:
        return self.tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)

    def _many_ids(self, texts) -> list[np.ndarray]:
        """`_ids` of every text; strings go through the tokenizer together, which is quicker."""
        strings = [i for i, text in enumerate(texts) if isinstance(text, str)]
        encoded = self.tokenizer([texts[i] for i in strings], add_special_tokens=False)["input_ids"] if strings else []
        return [self._ids(text) for text in (dict(enumerate(texts)) | dict(zip(strings, encoded, strict=True))).values()]

    def _flags(self, texts: list[np.ndarray]) -> list[np.ndarray]:
        """Green flags of every text, int8 [L]."""
        h = self.config.context
        windows = [np.stack([ids[i : max(len(ids), h) - h + i] for i in range(h + 1)], axis=1) for ids in texts]
        together = np.concatenate(windows) if windows else np.empty((0, h + 1), np.int64)
        green = self.partition.is_green(together[:, :h], together[:, h]).astype(np.int8)
        flags = [np.full(len(ids), -1, dtype=np.int8) for ids in texts]
        for row, part in zip(flags, np.split(green, np.cumsum([len(w) for w in windows])[:-1]), strict=False):
            row[h:] = part
        return flags

    def _first_occurrences(self, ids: np.ndarray, start: int) -> np.ndarray:
        """Positions from `start` on whose (context, token) stands for the first time."""
        h = self.config.context
        if len(ids) <= start:
            return np.arange(0)
        windows = np.stack([ids[start - h + i : len(ids) - h + i] for i in range(h + 1)], axis=1)
        return start + np.sort(np.unique(windows, axis=0, return_index=True)[1])

    def _entropies(self, ids: np.ndarray, entropies, model) -> np.ndarray | None:
        kind = self.method.reads
        if kind is None:
            return None
        if entropies is None and model is None:
            raise ValueError(f"{self.config.method} needs the model to detect: give entropies= ({kind}, one per token) or model=")
        if entropies is None:
            entropies = entropy.of_tokens(model, ids, kind, self.config.gamma, self.config.delta)
        if len(entropies) != len(ids):
            raise ValueError(
                f"{len(entropies)} entropies were given for {len(ids)} tokens; give one per token (entry 0 is ignored)"
            )
        return np.asarray(entropies, dtype=np.float64)


class Insertion(LogitsProcessor):
    """Adds delta to the logits that the method favours: input_ids [B, L], scores [B, W] -> marked scores [B, W]; W may exceed V."""

    def __init__(self, mark: Watermark, seed: int, streams, start: int, sampler: sampling.KeyedSampler, in_place: bool):
        self.mark, self.seed, self.streams, self.start, self.sampler = mark, seed, streams, start, sampler
        self.in_place = in_place
        self._syntax = torch.from_numpy(mark.classes != 0)

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        config, length = self.mark.config, input_ids.shape[1]
        if length < config.context:
            return scores if self.in_place else scores.clone()
        self._syntax = self._syntax.to(scores.device)
        step = Step(
            scores=scores,
            syntax=_fit(self._syntax, scores.shape[1]),
            entropy_threshold=config.entropy_threshold,
            candidate=self._candidates(scores, length),
        )
        gate = self.mark.method.gate
        rows = gate(step).nonzero()[:, 0] if gate else torch.arange(len(scores), device=scores.device)
        greens = self.mark.masks.prepare(input_ids[rows, length - config.context :])
        marked, few = scores if self.in_place else scores.clone(), rows_at_once(scores)
        for some, handles in zip(rows.split(few), greens.split(few), strict=True):
            favoured = self.mark.method.favoured(step, some, _fit(self.mark.masks.read(handles), scores.shape[1]))
            bias = favoured.view(torch.uint8).to(scores.dtype)  # from bool it is far slower
            marked.index_add_(0, some, bias, alpha=config.delta)
        return marked

    def _candidates(self, scores: torch.Tensor, length: int) -> torch.Tensor | None:
        """The unmarked draws of a step, ids [B]; None for a method that looks at none."""
        if not self.mark.method.draws_candidate:
            return None
        if self.mark.config.candidate == "argmax":
            return scores.argmax(dim=-1)
        if self.mark.config.candidate == "coupled":
            return self.sampler.pick(scores, length)
        streams = sampling.stream_tensor(self.streams, len(scores), scores.device)
        draws = sampling.uniform(self.seed ^ _CANDIDATE_DRAW, streams, length - self.start, streams.new_zeros(1))
        return sampling.sample(scores, draws)


def _green_lists(config: WatermarkConfig) -> Partition:
    assert config.vocab_size is not None
    return Partition(
        vocab_size=config.vocab_size, gamma=config.gamma, key=config.key, rule=config.partition, context=config.context
    )


def _fit(mask: torch.Tensor, width: int) -> torch.Tensor:
    """Cut or pad a mask [..., V] with False to the logits' width."""
    return mask if mask.shape[-1] == width else torch.nn.functional.pad(mask, (0, width - mask.shape[-1]))
