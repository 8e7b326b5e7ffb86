"""Batched generation with a watermark."""

import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import torch
from transformers import LogitsProcessor, LogitsProcessorList, StoppingCriteria, StoppingCriteriaList

from stone.datasets import Problem
from stone.kv_cache import roomy_cache, with_rows
from stone.models import LoadedModel, prompt_ids
from stone.sampling import KeyedSampler, stream_of
from stone.solutions import function_end
from stone.watermark import Watermark


@dataclass(frozen=True)
class Completion:
    """What a model wrote for one problem. token_ids: completion only; finish: "stop" (end of text or of the function) or "length"."""

    task_id: str
    sample: int
    seed: int
    token_ids: list[int]
    text: str
    finish: str

    def to_record(self) -> dict:
        return asdict(self)


@dataclass(frozen=True)
class Decoding:
    """How to draw: the paper's top-k 50 at temperature 1.0.

    stop_at_function_end : end a completion where its function ends, instead of letting the model go on.
    min_length : no end token before so many tokens, prompt included. no_repeat_ngram_size : no n-gram of this size twice, prompt
    included. Both are habits of the authors' release; 0 is off.
    """

    max_new_tokens: int = 512
    temperature: float = 1.0
    top_k: int | None = 50
    batch_size: int = 64
    stop_at_function_end: bool = True
    min_length: int = 0
    no_repeat_ngram_size: int = 0


class MinLength(LogitsProcessor):
    """Forbids the end tokens until row r has least[r] new tokens (transformers' own counts the padding of a batch as text)."""

    def __init__(self, ends: Iterable[int], least: torch.Tensor, start: int):
        self.ends, self.least, self.start = list(ends), least, start

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        early = self.least > input_ids.shape[1] - self.start
        barred = scores.clone()
        barred[:, self.ends] = torch.where(early[:, None], -torch.inf, scores[:, self.ends])
        return barred


class Finished(StoppingCriteria):
    """Stops a row after an end token, or when its text shows that the function is over (language None: not asked). Looks every few tokens
    only, the text is cut exactly later. Stops all rows once some of them are over, for the rest to go on in a smaller batch: soon on a CPU,
    which takes less time for less rows, later on a GPU, which hardly does.
    """

    def __init__(self, tokenizer, ends: Iterable[int], language: str | None, start: int, on_cpu: bool):
        self.tokenizer, self.ends, self.language, self.start = tokenizer, list(ends), language, start
        self.every, self.least_over = (4, 1 / 8) if on_cpu else (8, 1 / 2)
        self.done: torch.Tensor | None = None

    def over(self, input_ids: torch.Tensor) -> torch.Tensor:
        """Which rows are over, bool [B]."""
        written = input_ids[:, self.start :]
        over = torch.isin(written, torch.tensor(self.ends, dtype=torch.int64, device=written.device)).any(dim=1)
        if self.language is not None:
            texts = self.tokenizer.batch_decode(written, skip_special_tokens=True)
            ended = [function_end(text, self.language) is not None for text in texts]
            over |= torch.tensor(ended, device=written.device)
        return over

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **_) -> torch.Tensor:
        if self.done is None:
            self.done = torch.zeros(len(input_ids), dtype=torch.bool, device=input_ids.device)
        if (input_ids.shape[1] - self.start) % self.every == 0:
            self.done = self.over(input_ids)
            if int(self.done.sum()) >= self.least_over * len(self.done):
                return torch.ones_like(self.done)
        return self.done


def generate(
    loaded: LoadedModel,
    problems: Sequence[Problem],
    mark: Watermark | None,
    samples: int = 5,
    seed: int = 0,
    decoding: Decoding = Decoding(),
    progress: Callable[[int], None] | None = None,
) -> list[Completion]:
    """Draw `samples` completions per problem, marked unless `mark` is None; ordered by problem, then sample.

    The same completions come out for any batch size, order or sharding (noise is keyed by task and sample). Batches hold prompts of
    like length; out of memory halves the batch and says so. progress is called with the number of completions done since last time.
    A post-hoc mark is put into the unmarked completions. Raises ValueError for problems in more than one language.
    """
    if mark and mark.method.posthoc:
        return mark_completions(mark, problems, generate(loaded, problems, None, samples, seed, decoding, progress))
    wanted = [(problem, sample) for problem in problems for sample in range(samples)]
    done: dict[int, Completion] = {}
    for places, texts in draw(loaded, wanted, mark, seed, decoding):
        done |= zip(places, texts, strict=True)
        if progress:
            progress(len(texts))
    return [done[k] for k in range(len(wanted))]


def draw(
    loaded: LoadedModel,
    wanted: Sequence[tuple[Problem, int]],
    mark: Watermark | None,
    seed: int = 0,
    decoding: Decoding = Decoding(),
) -> Iterator[tuple[list[int], list[Completion]]]:
    """Batch by batch, the completions of (problem, sample) pairs: which of the pairs, and their completions.

    Raises ValueError for problems in more than one language.
    """
    languages = sorted({problem.language for problem, _ in wanted})
    if len(languages) > 1:
        raise ValueError(f"problems are in {languages}; generate for one language at a time")
    ids = {prompt: prompt_ids(loaded.tokenizer, prompt) for prompt in dict.fromkeys(p.prompt for p, _ in wanted)}
    prompts = [ids[problem.prompt] for problem, _ in wanted]
    order = sorted(range(len(wanted)), key=lambda k: len(prompts[k]))
    size, start = decoding.batch_size, 0
    while start < len(order):
        places = order[start : start + size]
        try:
            texts = _generate_batch(loaded, [wanted[k] for k in places], [prompts[k] for k in places], mark, seed, decoding)
        except torch.cuda.OutOfMemoryError:
            if size == 1:
                raise
            torch.cuda.empty_cache()
            size = max(1, size // 2)
            warnings.warn(f"out of GPU memory: generation goes on with batches of {size}", stacklevel=2)
            continue
        yield places, texts
        start += len(places)


def mark_completions(mark: Watermark, problems: Sequence[Problem], completions: Iterable[Completion]) -> list[Completion]:
    """Unmarked completions with a post-hoc mark: the prompts stay, what was rewritten is encoded again."""
    prompts = {p.task_id: p.prompt for p in problems}
    return [_rewritten(mark, prompts[c.task_id], c) for c in completions]


def _rewritten(mark: Watermark, prompt: str, completion: Completion) -> Completion:
    text = mark.mark(prompt + completion.text, len(prompt))[len(prompt) :]
    if text == completion.text:
        return completion
    return replace(completion, text=text, token_ids=mark.tokenizer(text, add_special_tokens=False)["input_ids"])


@torch.inference_mode()
def _generate_batch(loaded, batch, prompts, mark, seed, decoding) -> list[Completion]:
    width = max(map(len, prompts))
    inputs = loaded.tokenizer.pad({"input_ids": prompts}, return_tensors="pt", padding_side="left")
    ids, seen = inputs["input_ids"].to(loaded.device), inputs["attention_mask"].to(loaded.device)
    streams = torch.tensor([stream_of(problem.task_id, sample) for problem, sample in batch], device=loaded.device)
    least = torch.tensor([decoding.min_length - len(prompt) for prompt in prompts], device=loaded.device)
    language = batch[0][0].language if decoding.stop_at_function_end else None
    written: dict[int, list[int]] = {}
    rows, cache = torch.arange(len(batch), device=loaded.device), roomy_cache(loaded.model)
    while len(rows):
        sampler = KeyedSampler(seed, streams[rows], width, decoding.temperature, decoding.top_k)
        marking = [mark.processor(seed, streams[rows], width, sampler, in_place=True)] if mark else []
        processors = LogitsProcessorList([*marking, sampler])
        if decoding.min_length:
            processors.insert(0, MinLength(_ends(loaded), least[rows], width))
        finished = Finished(loaded.tokenizer, _ends(loaded), language, width, loaded.device.type == "cpu")
        output = loaded.model.generate(
            ids,
            attention_mask=seen,
            past_key_values=cache,
            max_length=width + decoding.max_new_tokens,
            do_sample=False,
            logits_processor=processors,
            stopping_criteria=StoppingCriteriaList([finished]),
            no_repeat_ngram_size=decoding.no_repeat_ngram_size,
            return_dict_in_generate=True,
        )
        ids, cache = output.sequences, output.past_key_values
        over = finished.over(ids) | (ids.shape[1] == width + decoding.max_new_tokens)
        written |= zip(rows[over].tolist(), ids[over, width:].tolist(), strict=True)
        seen = torch.nn.functional.pad(seen, (0, ids.shape[1] - seen.shape[1]), value=1)[~over]
        rows, ids = rows[~over], ids[~over]
        cache = with_rows(cache, torch.nonzero(~over)[:, 0].cpu())
    return [
        _completion(loaded, problem, sample, seed, written[row], decoding.stop_at_function_end)
        for row, (problem, sample) in enumerate(batch)
    ]


def _ends(loaded: LoadedModel) -> set[int]:
    ends = loaded.model.generation_config.eos_token_id
    return set(ends) if isinstance(ends, list) else {ends} - {None}


def _completion(
    loaded: LoadedModel, problem: Problem, sample: int, seed: int, ids: list[int], stop_at_function_end: bool
) -> Completion:
    """Cut a row at its end token or at the end of the function, whichever comes first."""
    ends = _ends(loaded)
    stop = next((k for k, token in enumerate(ids) if token in ends), None)
    finish, ids = ("length", ids) if stop is None else ("stop", ids[:stop])
    text = loaded.tokenizer.decode(ids, skip_special_tokens=True)
    end = function_end(text, problem.language) if stop_at_function_end else None
    if end is not None:
        finish, ids = "stop", _prefix_covering(loaded.tokenizer, ids, end)
        text = loaded.tokenizer.decode(ids, skip_special_tokens=True)
    return Completion(problem.task_id, sample, seed, ids, text, finish)


def _prefix_covering(tokenizer, ids: list[int], characters: int) -> list[int]:
    """The shortest prefix of ids whose text has at least so many characters (bisection: text length grows with the prefix)."""
    low, high = 0, len(ids)
    while low < high:
        middle = (low + high) // 2
        if len(tokenizer.decode(ids[:middle], skip_special_tokens=True)) >= characters:
            high = middle
        else:
            low = middle + 1
    return ids[:low]
