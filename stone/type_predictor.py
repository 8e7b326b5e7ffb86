"""CodeIP's type predictor (Guan et al. 2024): an LSTM that reads the lexical types of a program so far and predicts the next one.

Types are Pygments' standard token types (a fixed list that Pygments only extends), white space included, for every language its own lexer.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES
from safetensors import safe_open
from safetensors.torch import save_file

from stone.syntax import LANGUAGES, decode_each

TYPES = tuple(sorted(map(str, STANDARD_TYPES)))
_CODES = {kind: TYPES.index(str(kind)) for kind in STANDARD_TYPES}
WINDOW = 64  # types that the predictor looks back


class TypePredictor(torch.nn.Module):
    """Embedding(types, 64) -> LSTM(64, 128) -> Linear(128, types), for one language."""

    def __init__(self, language: str):
        super().__init__()
        self.language = language
        self.embedding = torch.nn.Embedding(len(TYPES), 64)
        self.lstm = torch.nn.LSTM(64, 128, batch_first=True)
        self.head = torch.nn.Linear(128, len(TYPES))

    def forward(self, types: torch.Tensor) -> torch.Tensor:
        """types [B, n] -> logits of the type after each, [B, n, types]."""
        return self.head(self.lstm(self.embedding(types))[0])

    @torch.inference_mode()
    def next_types(self, texts: Sequence[str]) -> torch.Tensor:
        """The predicted type after each program text, int64 [B] on the CPU; -1 after an empty one."""
        known = [type_codes(text, self.language)[-WINDOW:] for text in texts]
        lengths = torch.tensor([len(codes) for codes in known])
        rows = torch.zeros(len(texts), max(1, int(lengths.max())), dtype=torch.int64)
        for row, codes in zip(rows, known, strict=True):
            row[: len(codes)] = torch.from_numpy(codes)
        # What is padded stands behind the row's end, where an LSTM that reads forward has not been yet.
        last = self(rows)[torch.arange(len(rows)), (lengths - 1).clamp(min=0)].argmax(dim=-1)
        return torch.where(lengths > 0, last, -1)


@lru_cache(maxsize=len(LANGUAGES))
def _lexer(language: str):
    return get_lexer_by_name(language, ensurenl=False, stripnl=False)


def type_codes(text: str, language: str) -> np.ndarray:
    """Index in `TYPES` of every lexeme of a text, int64 [n]; a kind that is no standard type counts as its nearest ancestor."""
    kinds = (kind for _, kind, piece in _lexer(language).get_tokens_unprocessed(text) if piece)
    codes = []
    for kind in kinds:
        while kind not in _CODES:
            kind = kind.parent
        codes.append(_CODES[kind])
    return np.array(codes, dtype=np.int64)


def types_of_ids(tokenizer, language: str, vocab_size: int) -> np.ndarray:
    """The type of the first lexeme of each id's text, int64 [V]; -1 where an id has no text or the tokenizer lacks it."""
    types = np.full(vocab_size, -1, dtype=np.int64)
    for token, text in enumerate(decode_each(tokenizer, range(min(vocab_size, len(tokenizer))))):
        codes = type_codes(text, language)
        if len(codes):
            types[token] = codes[0]
    return types


@dataclass(frozen=True)
class Recipe:
    """How a predictor is trained: `steps` batches of windows drawn from the corpus."""

    steps: int = 300
    batch: int = 32
    learning_rate: float = 5e-3
    held_out: float = 0.1
    seed: int = 0


def train_predictor(programs: Iterable[str], language: str, recipe: Recipe = Recipe()) -> tuple[TypePredictor, float]:
    """Train on program texts; returns the predictor and its accuracy on the last `held_out` share of them.

    Raises ValueError when the programs hold fewer than 10 windows of types.
    """
    types = np.concatenate([type_codes(text, language) for text in programs] or [np.empty(0, np.int64)])
    windows = torch.from_numpy(types[: len(types) // (WINDOW + 1) * (WINDOW + 1)]).reshape(-1, WINDOW + 1)
    if len(windows) < 10:
        raise ValueError(f"the {language} corpus has {len(types)} lexemes; a type predictor needs at least {10 * (WINDOW + 1)}")
    held = windows[-max(1, round(recipe.held_out * len(windows))) :]
    windows = windows[: -len(held)]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(recipe.seed)
        predictor = TypePredictor(language)
        optimizer = torch.optim.AdamW(predictor.parameters(), lr=recipe.learning_rate)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.learning_rate, total_steps=recipe.steps)
        for _ in range(recipe.steps):
            rows = windows[torch.randint(len(windows), (recipe.batch,))]
            loss = torch.nn.functional.cross_entropy(predictor(rows[:, :-1]).flatten(0, 1), rows[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    with torch.inference_mode():
        accuracy = (predictor(held[:, :-1]).argmax(dim=-1) == held[:, 1:]).float().mean()
    return predictor.eval(), float(accuracy)


def save_predictor(path: str | Path, predictor: TypePredictor, recipe: Recipe, accuracy: float) -> None:
    """Write weights, language, types and how it was trained as one safetensors file."""
    notes = {
        "language": predictor.language,
        "types": " ".join(TYPES),
        "accuracy": repr(accuracy),
        **{k: repr(v) for k, v in asdict(recipe).items()},
    }
    save_file(predictor.state_dict(), path, metadata=notes)


def load_predictor(path: str | Path) -> TypePredictor:
    """Read `save_predictor`'s file. Raises ValueError when it was trained with another list of Pygments types."""
    with safe_open(path, "pt") as file:
        notes = file.metadata() or {}
        if notes.get("types", "").split() != list(TYPES):
            raise ValueError(f"{path} was trained with another Pygments' token types; train it again (snakemake type_predictors)")
        predictor = TypePredictor(notes["language"])
        predictor.load_state_dict({name: file.get_tensor(name) for name in file.keys()})  # noqa: SIM118
    return predictor.eval()
