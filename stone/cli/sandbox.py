"""stone sandbox build | test."""

from typing import Annotated

import typer

from stone.cli.common import console
from stone.sandbox import BACKENDS

sandbox_app = typer.Typer(no_args_is_help=True, help="The place where generated programs run.")


@sandbox_app.command("build")
def sandbox_build() -> None:
    """Build the Docker image that programs run in; where no registry answers, from Debian packages."""
    from stone.sandbox.image import build

    name = build(lambda line: console.print(line, markup=False))
    console.print(f"image {name} is ready")


@sandbox_app.command("test")
def sandbox_test(backend: Annotated[str, typer.Option(help=f"One of {', '.join(BACKENDS)}.")] = "auto") -> None:
    """Prove with harmless probes that the sandbox judges and contains programs here. Exit code 1 if one gets through."""
    from stone.sandbox.selftest import selftest

    results = selftest(backend)
    for name, held, status in results:
        console.print(f"{'ok  ' if held else 'FAIL'}  {name} ({status})", style="" if held else "bold red")
    if not all(held for _, held, _ in results):
        raise typer.Exit(1)
