"""The `stone` command."""

import sys
from typing import Annotated

import typer
from rich.console import Console

from stone.sandbox import BACKENDS

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Watermarks for LLM-generated code.", pretty_exceptions_enable=False
)
sandbox_app = typer.Typer(no_args_is_help=True, help="The place where generated programs run.")
app.add_typer(sandbox_app, name="sandbox")
console = Console()


@sandbox_app.command("build")
def sandbox_build() -> None:
    """Build the Docker image that programs run in; where no registry answers, from Debian packages."""
    from stone.sandbox.image import build

    name = build(lambda line: console.print(line, highlight=False, markup=False))
    console.print(f"image {name} is ready", highlight=False)


@sandbox_app.command("test")
def sandbox_test(
    backend: Annotated[str, typer.Option(help=f"One of {', '.join(BACKENDS)}.")] = "auto",
) -> None:
    """Prove with harmless probes that the sandbox judges and contains programs here. Exit code 1 if one gets through."""
    from stone.sandbox.selftest import selftest

    results = selftest(backend)
    for name, held, status in results:
        console.print(f"{'ok  ' if held else 'FAIL'}  {name} ({status})", highlight=False, style="" if held else "bold red")
    if not all(held for _, held, _ in results):
        raise typer.Exit(1)


def main() -> None:
    """Entry point."""
    sys.exit(app())
