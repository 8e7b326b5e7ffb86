"""The small JSON file beside marked code: all that detection needs but the key, and proof of which key, tokenizer and syntax table it was."""

import hashlib
import json
import os
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

from stone.keys import commit, same_key
from stone.watermark import Watermark, WatermarkConfig

SUFFIX = ".stone.json"


class SidecarError(ValueError):
    """What stands beside a file does not fit what detection would use."""


@dataclass(frozen=True)
class Sidecar:
    """How a text was marked.

    config : WatermarkConfig's JSON values without the key. key : commitment to it (`commit`). tokenizer, syntax : digests.
    prompt : characters of the file that were given and not generated; prompt_digest : sha256 of them. seed : of the sampling.
    """

    model: str
    revision: str | None
    config: dict
    key: str
    tokenizer: str
    syntax: str
    prompt: int
    prompt_digest: str
    seed: int

    @classmethod
    def of(cls, mark: Watermark, model: str, revision: str | None, prompt: str, seed: int) -> "Sidecar":
        config = json.loads(mark.config.to_json())
        key = config.pop("key")
        return cls(
            model=model,
            revision=revision,
            config=config,
            key=commit(key),
            tokenizer=tokenizer_digest(mark.tokenizer),
            syntax=hashlib.sha256(mark.classes.tobytes()).hexdigest(),
            prompt=len(prompt),
            prompt_digest=_digest(prompt),
            seed=seed,
        )

    def watermark_config(self, key: int) -> WatermarkConfig:
        """The config with the key. Raises SidecarError if it is another key."""
        if not same_key(key, self.key):
            raise SidecarError("the key is not the one that this file was marked with; give that one with --key-file or STONE_KEY")
        return replace(WatermarkConfig.from_json(json.dumps(self.config)), key=key)

    def check(self, mark: Watermark) -> None:
        """Raises SidecarError naming what differs: tokenizer, vocab_size or the table of syntax elements."""
        now = Sidecar.of(mark, self.model, self.revision, "", 0)
        pairs = {
            "tokenizer": (self.tokenizer, now.tokenizer),
            "vocab_size": (self.config["vocab_size"], now.config["vocab_size"]),
            "table of syntax elements": (self.syntax, now.syntax),
        }
        differing = [f"{name} ({str(a)[:12]} then, {str(b)[:12]} now)" for name, (a, b) in pairs.items() if a != b]
        if differing:
            raise SidecarError(
                f"detection would use another {' and '.join(differing)}; use the model and the version of stone that marked it"
            )

    def prompt_of(self, text: str) -> str:
        """The part of the text that was given; empty if it is no longer what it was."""
        head = text[: self.prompt]
        return head if _digest(head) == self.prompt_digest else ""

    def save(self, path: Path) -> None:
        write_private(path, json.dumps(asdict(self), indent=2, sort_keys=True) + "\n")

    @classmethod
    def load(cls, path: Path) -> "Sidecar":
        """Raises SidecarError for a file that is no sidecar."""
        try:
            values = json.loads(path.read_text(encoding="utf-8"))
            if (
                not isinstance(values, dict)
                or set(values) != {f.name for f in fields(cls)}
                or not isinstance(values["config"], dict)
            ):
                raise ValueError("its keys are not those of a sidecar")
        except ValueError as error:
            raise SidecarError(f"{path} is damaged ({error}); delete it and give the settings as options") from None
        return cls(**values)


def beside(path: Path) -> Path:
    """Where a file's sidecar stands."""
    return path.with_name(path.name + SUFFIX)


def tokenizer_digest(tokenizer) -> str:
    """sha256 over the vocabulary, ids in order."""
    vocabulary = sorted((i, token) for token, i in tokenizer.get_vocab().items())
    return _digest("".join(f"{i}\t{token}\n" for i, token in vocabulary))


def write_private(path: Path, text: str) -> None:
    """A new file that only its owner can read. Raises FileExistsError rather than overwrite."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
