"""Keyed sampling: every random draw is a function of (seed, stream, position, token).

A stream is one completion (task, sample). Results therefore don't depend on batch size, order, sharding or machine, and all methods
see the same noise, which pairs their comparison.
"""

import hashlib

import torch
from torch.nn import functional
from transformers import LogitsProcessor

from stone.hashing import GOLDEN, mix, shift, signed
from stone.rows import by_rows

_BLOCK, _SET = 128, 32  # tokens that `sample` and `top` take together at first


def stream_of(task_id: str, sample: int) -> int:
    """Stable 63-bit name of one completion."""
    return int.from_bytes(hashlib.sha256(f"{task_id}\0{sample}".encode()).digest()[:8], "big") >> 1


def uniform(seed: int, streams: torch.Tensor, position: int | torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Uniform draws in (0, 1), float64. streams: int64 [B]; position: one for all rows, or int64 [B]; tokens: int64 [B, K] or [K];
    returns [B, K]."""
    row = mix(mix(streams + signed(seed * 0x632BE59BD9B4E019)) + position * 0x2545F4914F6CDD1D % 2**62)
    bits = shift(mix(row[:, None] + (tokens + 1) * signed(GOLDEN)), 11)
    return (bits.double() + 0.5) * 2.0**-53


def gumbel(seed: int, streams: torch.Tensor, position: int | torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Standard Gumbel noise, float64: the argmax of log-probabilities plus it samples from them. Shapes as `uniform`."""
    return -torch.log(-torch.log(uniform(seed, streams, position, tokens)))


def sample(scores: torch.Tensor, draws: torch.Tensor) -> torch.Tensor:
    """One token per row of softmax(scores) by inverse transform. scores [B, V]; draws: `uniform`, [B, 1]; ids [B].

    The draw first finds its block of tokens, then its token: sums of all V tokens in double precision would take five times as long.
    """

    def masses(some: torch.Tensor, highest: torch.Tensor) -> torch.Tensor:
        weights = torch.exp_(some - highest)
        weights = functional.pad(weights, (0, missing)) if missing else weights
        return weights.unflatten(-1, (-1, _BLOCK)).sum(dim=-1)

    width = scores.shape[-1]
    missing = -width % _BLOCK  # tokens of the last block
    highest = scores.amax(dim=-1, keepdim=True).float()
    mass = by_rows(masses, scores, highest).double().cumsum(dim=-1)
    target = draws * mass[:, -1:]
    block = torch.searchsorted(mass, target, right=True).clamp(max=mass.shape[-1] - 1)
    before = functional.pad(mass, (1, 0)).gather(1, block)
    tokens = block * _BLOCK + torch.arange(_BLOCK, device=scores.device)
    weights = torch.exp(scores.gather(1, tokens.clamp(max=width - 1)).float() - highest) * (tokens < width)
    inside = weights.double().cumsum(dim=-1)
    share = ((target - before) / (mass.gather(1, block) - before)).clamp(0, 1 - 2**-52)  # never the last token unless it has mass
    token = torch.searchsorted(inside, share * inside[:, -1:], right=True).clamp(max=_BLOCK - 1)
    return (block * _BLOCK + token).clamp(max=width - 1)[:, 0]


def top(scores: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    """The k highest scores of each row and their tokens, both [B, k]. scores [B, V].

    They stand in k of the sets of tokens that are equal modulo V / 32, those with the highest maxima: to look there alone takes less than
    half of `torch.topk`'s time.
    """
    width = scores.shape[-1]
    if width < 4 * k * _SET:
        values, tokens = scores.topk(k, dim=-1)
        return values, tokens
    sets, whole = width // _SET, width - width % _SET
    best = scores[:, :whole].unflatten(-1, (_SET, sets)).amax(dim=-2).topk(k, dim=-1).indices
    tokens = (torch.arange(0, whole, sets, device=scores.device)[:, None] + best[:, None, :]).flatten(1)
    tokens = torch.cat([tokens, torch.arange(whole, width, device=scores.device).expand(len(scores), -1)], dim=1)
    values, places = scores.gather(1, tokens).topk(k, dim=-1)
    return values, tokens.gather(1, places)


def stream_tensor(streams, rows: int, device) -> torch.Tensor:
    """Streams as int64 [rows]; the row index where none are given."""
    if streams is None:
        return torch.arange(rows, device=device)
    if len(streams) != rows:
        raise ValueError(f"{len(streams)} streams were given for a batch of {rows} rows; give one integer per row")
    return torch.as_tensor(streams, dtype=torch.int64, device=device)


class KeyedSampler(LogitsProcessor):
    """Draws the next token with keyed Gumbel noise. Put it last and call `generate` with `do_sample=False`: only the drawn token
    stays finite.

    Parameters
    ----------
    seed, streams : name the noise; streams is one integer per row (default: the row's index).
    start : width of the padded prompt, so that position = length - start counts generated tokens.
    temperature, top_k : the usual warping, done here so that noise is only computed for `top_k` tokens; None keeps all.
    """

    def __init__(self, seed: int, streams=None, start: int = 0, temperature: float = 1.0, top_k: int | None = None):
        if not temperature > 0:
            raise ValueError(f"temperature is {temperature}; it must be positive")
        if top_k is not None and top_k < 1:
            raise ValueError(f"top_k is {top_k}; it must be at least 1, or None for the whole vocabulary")
        self.seed, self.streams, self.start, self.temperature, self.top_k = seed, streams, start, temperature, top_k

    def pick(self, scores: torch.Tensor, length: int | torch.Tensor) -> torch.Tensor:
        """The drawn ids [B] from scores [B, V] of a prefix of `length` ids (one number for all rows, or one a row)."""
        streams = stream_tensor(self.streams, len(scores), scores.device)
        position, width = length - self.start, scores.shape[-1]
        if self.top_k is None or self.top_k >= width:
            every = torch.arange(width, device=scores.device)
            positions = torch.as_tensor(position, device=scores.device).expand(len(scores))

            def drawn(some: torch.Tensor, names: torch.Tensor, at: torch.Tensor) -> torch.Tensor:
                return (some.double() / self.temperature + gumbel(self.seed, names, at, every)).argmax(dim=-1)

            return by_rows(drawn, scores, streams, positions)
        values, tokens = top(scores, self.top_k)
        noisy = values.double() / self.temperature + gumbel(self.seed, streams, position, tokens)
        return tokens.gather(1, noisy.argmax(dim=-1, keepdim=True))[:, 0]

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor) -> torch.Tensor:
        chosen = self.pick(scores, input_ids.shape[1])[:, None]
        return torch.full_like(scores, -torch.inf).scatter_(1, chosen, 0.0)
