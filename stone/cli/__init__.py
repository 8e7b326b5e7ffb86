"""The `stone` command: generate, detect, show, doctor, sandbox. Exit codes: 0 done, 1 the answer is no, 2 an error, 130 interrupted."""

import os
import sys

import typer
from typer.exceptions import TyperException

from stone.cli.detecting import detect, show
from stone.cli.doctor import doctor
from stone.cli.marking import generate
from stone.cli.sandbox import sandbox_app

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="Watermarks for LLM-generated code. Exit codes: 0 done, 1 the answer is no (nothing marked, something missing), 2 an error.",
)
app.command()(generate)
app.command()(detect)
app.command()(show)
app.command()(doctor)
app.add_typer(sandbox_app, name="sandbox")


@app.callback()
def options(debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error.")) -> None:
    """Options before the command."""


def main() -> None:
    """Entry point: every foreseeable error is one line."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run a command; its exit code."""
    from stone.models import ModelError
    from stone.sandbox import SandboxError

    try:
        code = typer.main.get_command(app).main(arguments, prog_name="stone", standalone_mode=False) or 0
    except TyperException as error:
        print(f"stone: {error.format_message()} `stone --help` lists commands and options.", file=sys.stderr)
        return 2
    except (KeyboardInterrupt, typer.Abort):
        code = 130
    except BrokenPipeError:  # the reader of our output has left
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        if "--debug" in arguments:
            raise
        foreseen = isinstance(error, ModelError | SandboxError | ValueError | OSError)
        print(f"stone: {_line(error)}", file=sys.stderr)
        if not foreseen:
            print("stone: this is a fault of stone itself; `stone --debug ...` shows where", file=sys.stderr)
        return 2
    if code == 130:
        print("stone: interrupted", file=sys.stderr)
    return code


def _line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        steps = {
            "FileNotFoundError": "check the path",
            "FileExistsError": "choose another name, or remove it first",
            "PermissionError": "choose a place that you may read and write",
            "IsADirectoryError": "give a file",
        }
        step = steps.get(type(error).__name__, "free some space" if error.errno == 28 else "")
        return f"{error.filename or ''}: {error.strerror.lower()}{f'; {step}' if step else ''}"
    return " ".join(f"{error}".split()) or type(error).__name__
