"""stone detect and stone show."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from stone.cli.common import (
    DEFAULTS,
    SUFFIXES,
    ContextOption,
    DeltaOption,
    GammaOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    MethodOption,
    ModelOption,
    RevisionOption,
    console,
    explicit,
    language_of,
    notes,
    read_key,
    read_source,
)
from stone.watermark import Detection, Watermark, WatermarkConfig

AlphaOption = Annotated[float, typer.Option("--alpha", min=1e-12, max=0.5, help="A text is marked if its p-value is below this.")]


@dataclass(frozen=True)
class Found:
    """A file and how it was scored."""

    path: Path
    mark: Watermark
    ids: list[int]
    pieces: list[str]
    detection: Detection
    verdict: str

    def record(self) -> dict[str, Any]:
        d = self.detection
        return {
            "file": str(self.path),
            "verdict": self.verdict,
            "z": d.z,
            "p_value": d.p_value,
            "scored": d.scored,
            "green": d.green,
            "tokens": len(self.ids),
            "method": self.mark.config.method,
            "language": self.mark.config.language,
        }


def detect(
    files: Annotated[list[Path], typer.Argument(help="Files or folders; `-` reads standard input.")],
    model: ModelOption = None,
    revision: RevisionOption = None,
    method: MethodOption = None,
    gamma: GammaOption = None,
    delta: DeltaOption = None,
    context: ContextOption = None,
    language: LanguageOption = None,
    key_file: KeyOption = None,
    alpha: AlphaOption = 0.01,
    as_json: JsonOption = False,
) -> None:
    """Tell whether code carries the mark: z, exact p-value, scored tokens, and marked / not marked / too short.

    Settings come from the sidecar beside a file if there is one, else from the options. Exit code 0 if a file is marked, 1 if none is.
    A file that cannot be read is named, the others are scored all the same, and the exit code is 2.
    """
    options = explicit(method=method, gamma=gamma, delta=delta, context=context, language=language)
    key, found, errors = read_key(key_file), [], []
    for path in _sources(files):
        try:
            found.append(_scored(path, key, model, revision, options, alpha))
        except (ValueError, OSError) as error:
            if len(files) == 1 and files[0] == path:
                raise
            errors.append({"file": str(path), "error": str(error)})
            notes.print(f"stone: {path}: {error}", markup=False, soft_wrap=True)
    if as_json:
        console.print_json(json.dumps([f.record() for f in found] + errors))
    else:
        _print_table(found)
    if errors:
        raise typer.Exit(2)
    if not any(f.verdict == "marked" for f in found):
        raise typer.Exit(1)


def show(
    file: Annotated[Path, typer.Argument(help="A file; `-` reads standard input.")],
    html: Annotated[Path | None, typer.Option(help="Write a self-contained page here instead of colours to the terminal.")] = None,
    model: ModelOption = None,
    revision: RevisionOption = None,
    method: MethodOption = None,
    gamma: GammaOption = None,
    delta: DeltaOption = None,
    context: ContextOption = None,
    language: LanguageOption = None,
    key_file: KeyOption = None,
    alpha: AlphaOption = 0.01,
) -> None:
    """Show each token: green, red, syntax or unscored, with its class, context, weight and the z-score so far."""
    from stone.sidecar import write_private
    from stone.tokenview import to_html, to_terminal, views

    options = explicit(method=method, gamma=gamma, delta=delta, context=context, language=language)
    found = _scored(file, read_key(key_file), model, revision, options, alpha)
    rows, d = views(found.mark, found.ids, found.pieces, found.detection), found.detection
    counted = "slots match" if found.mark.method.posthoc else "scored tokens are green"
    summary = f"{found.verdict}: z = {d.z:.2f}, p = {d.p_value:.2g}, {d.green} of {d.scored} {counted}"
    if html:
        write_private(html, to_html(str(file.name), summary, rows))
        console.print(f"wrote {html}", markup=False)
    else:
        console.print(to_terminal(rows), soft_wrap=True)
        console.print(summary, style="bold")


def _sources(paths: Iterable[Path]) -> list[Path]:
    """Files; of folders, those below them that look like source code, in order. Raises ValueError for a folder without any."""
    found: list[Path] = []
    for path in paths:
        if not path.is_dir():
            found.append(path)
            continue
        below = sorted(p for p in path.rglob("*") if p.suffix.lower() in SUFFIXES and p.is_file())
        if not below:
            raise ValueError(f"{path} holds no file with a suffix of {' '.join(SUFFIXES)}; name the files themselves")
        found += below
    return found


def _scored(path: Path, key: int, model: str | None, revision: str | None, options: dict, alpha: float) -> Found:
    from stone.models import load_model
    from stone.scoring import verdict
    from stone.sidecar import Sidecar, SidecarError, beside
    from stone.tokenview import encode

    text = read_source(path)
    sidecar = Sidecar.load(beside(path)) if str(path) != "-" and beside(path).exists() else None
    if sidecar:
        config = sidecar.watermark_config(key)
        odd = {
            k: v
            for k, v in (options | explicit(model=model)).items()
            if v != (sidecar.model if k == "model" else getattr(config, k))
        }
        if odd:
            raise SidecarError(f"options {odd} differ from how {path} was marked; leave them out, or remove its sidecar")
        model, revision = sidecar.model, sidecar.revision
    else:
        known = {"language": language_of(None if str(path) == "-" else path, options.get("language"))}
        config = WatermarkConfig(**(DEFAULTS | options | known), key=key)
        model = model or "mini"
    mark = _watermark(config, model, revision)
    if sidecar:
        sidecar.check(mark)
    ids, pieces = encode(mark.tokenizer, text)
    prompt = sidecar.prompt_of(text) if sidecar else ""
    prompt_length = len(encode(mark.tokenizer, prompt)[0]) if prompt else 0
    reader = load_model(model, revision=revision).model if mark.method.reads else None
    found = mark.detect(ids, prompt_length=prompt_length, model=reader)
    return Found(path, mark, ids, pieces, found, verdict(found.p_value, found.scored, config.gamma, alpha))


@lru_cache(maxsize=4)
def _watermark(config: WatermarkConfig, model: str, revision: str | None) -> Watermark:
    """The tokenizer and the width of the logits are enough; only methods that read entropies load the weights."""
    from stone.models import load_tokenizer, logits_width

    tokenizer = load_tokenizer(model, revision)
    return Watermark(config, tokenizer, vocab_size=config.vocab_size or logits_width(model, revision))


def _print_table(found: list[Found]) -> None:
    if not found:
        return
    table = Table(box=None, pad_edge=False)
    for name in ("file", "verdict", "z", "p", "green", "scored", "tokens"):
        table.add_column(name, justify="left" if name in ("file", "verdict") else "right", overflow="fold")
    styles = {"marked": "bold green", "not marked": "", "too short": "yellow"}
    for f in found:
        d = f.detection
        cells = [f"{d.z:.2f}", f"{d.p_value:.2g}", str(d.green), str(d.scored), str(len(f.ids))]
        table.add_row(str(f.path), f"[{styles[f.verdict]}]{f.verdict}[/]" if styles[f.verdict] else f.verdict, *cells)
    console.print(table)
