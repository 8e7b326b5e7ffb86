"""CodeIP's message (Guan et al. 2024): after each previous token, every candidate carries one pseudo-random bit that depends on the message.

Writing favours candidates of bit 1; reading counts, for every possible message, the ones that the text would have, and takes the message with
the most. Known its message, a text is tested like any other: its bits are green flags with gamma 1/2.
"""

from dataclasses import astuple, dataclass

import numpy as np
import pandas as pd
import torch

_CONTEXT_SALT, _TOKEN_STRIDE = 42, 100_000
SHIFTS = ((24, (3, 8)), (14, (2, 4)), (28, (31,)))


def wang_hash(x):
    """Thomas Wang's 64-bit integer mixer on uint64 arrays, or on int64 tensors with the same bits."""
    x = ~x + (x << _like(x, 21))
    for right, lefts in SHIFTS:
        x = x ^ _logical_shift(x, right)
        x = x + sum(((x << _like(x, n)) for n in lefts[1:]), x << _like(x, lefts[0]))
    return x


def _like(x, value: int):
    return np.uint64(value) if isinstance(x, np.ndarray) else value


def _logical_shift(x, bits: int):
    return x >> np.uint64(bits) if isinstance(x, np.ndarray) else (x >> bits) & (2 ** (64 - bits) - 1)


def message_bits(previous, tokens, messages, bits: int):
    """The bit (bool) of each candidate token after each previous one under each message; the arguments broadcast.

    All three uint64 arrays, or all int64 tensors (of any one device): the bits are equal. bits : b, the length of the messages.
    s = H((c mod 2^(32-b)) 2^b + m) with c = H(H(previous) + 42); bit = H(100000 s + token) mod 2.
    """
    contexts = wang_hash(wang_hash(previous) + _like(previous, _CONTEXT_SALT))
    classes = contexts & _like(previous, 2 ** (32 - bits) - 1)
    seeds = wang_hash((classes << _like(previous, bits)) + messages)
    return (wang_hash(seeds * _like(seeds, _TOKEN_STRIDE) + tokens) & _like(seeds, 1)) == 1


@dataclass(frozen=True)
class MessagePartition:
    """The split that a message makes, with the face of `stone.partition.Partition`: green tokens are those of bit 1.

    Raises ValueError unless 1 <= bits <= 24, 0 <= message < 2^bits.
    """

    message: int
    bits: int = 20
    vocab_size: int = 0

    def __post_init__(self) -> None:
        if not 1 <= self.bits <= 24:
            raise ValueError(f"message_bits is {self.bits}; allowed: 1 to 24 (reading tries all 2^bits messages)")
        if not 0 <= self.message < 2**self.bits:
            raise ValueError(f"the message is {self.message}; with {self.bits} bits it must be 0 to {2**self.bits - 1}")

    def is_green(self, previous, tokens) -> np.ndarray:
        """previous : ids [n, 1] or [n]; tokens : ids [n]; bool [n]. Ids at or above V are never green."""
        tokens = np.asarray(tokens, dtype=np.uint64)
        previous = np.asarray(previous, dtype=np.uint64).reshape(len(tokens))
        return message_bits(previous, tokens, np.uint64(self.message), self.bits) & (tokens < np.uint64(self.vocab_size))

    def among(self, previous: torch.Tensor, candidates: torch.Tensor) -> torch.Tensor:
        """Bits of candidates [B, k] after previous ids [B]; bool [B, k] on their device."""
        bits = message_bits(previous[:, None], candidates, self.message, self.bits)
        return bits & (candidates < self.vocab_size)


@dataclass(frozen=True)
class Extraction:
    """What a reader found: the message of the highest count, the count's lead over the runner-up (confidence, in tokens), and how many tokens
    were read."""

    message: int
    confidence: int
    tokens: int


def extract(ids, bits: int = 20, start: int = 1, distinct: bool = False, device: str = "cpu", chunk: int = 2**22) -> Extraction:
    """Read the message from a text without knowing it; the lowest of several with the highest count.

    ids : token ids; start : the first token that counts (at least 1; its predecessor is its context). Costs 2^bits hashes a token.
    distinct : repeated (previous, token) pairs count once. Raises ValueError when there is no pair.
    """
    ids = np.asarray(ids, dtype=np.int64)
    pairs, repeats = np.unique(np.stack([ids[:-1], ids[1:]], axis=1)[max(start, 1) - 1 :], axis=0, return_counts=True)
    if not len(pairs):
        raise ValueError(
            f"a text of {len(ids)} tokens has no token from {max(start, 1)} on; a message needs a pair of tokens at least"
        )
    weights = np.ones_like(repeats) if distinct else repeats
    messages = torch.arange(2**bits, device=device)
    counts = torch.zeros(2**bits, dtype=torch.int64, device=device)
    pieces = -(-len(pairs) * 2**bits // chunk)
    for part, weight in zip(
        torch.from_numpy(pairs).tensor_split(pieces), torch.from_numpy(weights).tensor_split(pieces), strict=True
    ):
        part, weight = part.to(device), weight.to(device)
        counts += (weight[:, None] * message_bits(part[:, :1], part[:, 1:], messages[None], bits)).sum(dim=0)
    first = int(counts.argmax())
    lead = counts[first] - counts[torch.arange(2**bits, device=device) != first].max()
    return Extraction(first, int(lead), int(weights.sum()))


def read_messages(partition: MessagePartition, texts: pd.DataFrame, distinct: bool = False, device: str = "cpu") -> pd.DataFrame:
    """What is read from each marked text, prompt excluded: columns task_id, sample, message, confidence, tokens, right (the message is the
    embedded one), bit_accuracy (share of its bits that are right).

    texts : columns task_id, sample, prompt_length, ids. A text without a token to read is as wrong as chance: no message, half of the bits.
    """
    rows = []
    for text in texts.itertuples():
        if len(text.ids) <= max(text.prompt_length, 1):
            rows.append((text.task_id, text.sample, -1, 0, 0, False, 0.5))
            continue
        found = extract(text.ids, partition.bits, text.prompt_length, distinct, device)
        wrong = (found.message ^ partition.message).bit_count()
        rows.append((text.task_id, text.sample, *astuple(found), wrong == 0, 1 - wrong / partition.bits))
    return pd.DataFrame(rows, columns=["task_id", "sample", "message", "confidence", "tokens", "right", "bit_accuracy"])
