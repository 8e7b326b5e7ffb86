"""stone generate."""

import json
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from stone.cli.common import (
    DEFAULTS,
    ContextOption,
    DeltaOption,
    GammaOption,
    JsonOption,
    KeyOption,
    LanguageOption,
    MethodOption,
    RevisionOption,
    console,
    explicit,
    language_of,
    read_key,
    read_source,
)


def generate(
    prompt: Annotated[str, typer.Argument(help="What the code begins with; `-` reads standard input.")] = "",
    prompt_file: Annotated[Path | None, typer.Option(help="A file with the prompt instead.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the program here, and its sidecar beside it (mode 0600).")
    ] = None,
    model: Annotated[str, typer.Option(help="A folder, a hub id, or the embedded `mini`.")] = "mini",
    revision: RevisionOption = None,
    method: MethodOption = None,
    gamma: GammaOption = None,
    delta: DeltaOption = None,
    context: ContextOption = None,
    language: LanguageOption = None,
    key_file: KeyOption = None,
    seed: Annotated[int | None, typer.Option(help="Same seed, same text. Default: a random one.")] = None,
    max_new_tokens: Annotated[int, typer.Option(min=1)] = 256,
    temperature: Annotated[float, typer.Option(min=0.01)] = 1.0,
    top_k: Annotated[int, typer.Option(min=1)] = 50,
    stop: Annotated[bool, typer.Option(help="Stop where the function ends.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Complete a prompt with marked code. Default: STONE, gamma 0.5, delta 2."""
    from stone.datasets import Problem
    from stone.generation import Decoding
    from stone.generation import generate as complete
    from stone.models import load_model
    from stone.sidecar import SUFFIX, Sidecar, beside, write_private
    from stone.watermark import Watermark, WatermarkConfig

    given = prompt if prompt and prompt != "-" else (read_source(prompt_file or Path("-")) if prompt_file or prompt else "")
    if not given.strip():
        raise ValueError("the prompt is empty; give the beginning of a program, for instance 'def add(a, b):'")
    if prompt and prompt_file:
        raise ValueError("both a prompt and --prompt-file were given; give one")
    spoken = language_of(out or prompt_file, language) if (out or prompt_file or language) else "python"
    settings = DEFAULTS | explicit(method=method, gamma=gamma, delta=delta, context=context)
    config = WatermarkConfig(**settings, key=read_key(key_file), language=spoken)
    for path in (out, beside(out)) if out else ():
        if path.exists():
            raise FileExistsError(17, "file exists", str(path))
    loaded = load_model(model, revision=revision)
    mark = Watermark(config, loaded.tokenizer, vocab_size=loaded.vocab_size)
    drawn = secrets.randbelow(2**31) if seed is None else seed
    decoding = Decoding(max_new_tokens=max_new_tokens, temperature=temperature, top_k=top_k, stop_at_function_end=stop)
    text = given + complete(loaded, [Problem("prompt", spoken, given, "", "")], mark, 1, drawn, decoding)[0].text
    sidecar = Sidecar.of(mark, model, revision, given, drawn)
    if out:
        write_private(out, text)
        sidecar.save(beside(out))
    if as_json:
        console.print_json(
            json.dumps({"text": text, "seed": drawn, "config": sidecar.config, "key": sidecar.key, "file": out and str(out)})
        )
    elif out:
        console.print(f"wrote {out} and {out.name}{SUFFIX}", markup=False)
    else:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
