"""stone doctor."""

import json
import os
import platform
import shutil
from collections.abc import Callable
from pathlib import Path

import typer
from rich.table import Table

from stone.cli.common import JsonOption, console


def doctor(as_json: JsonOption = False) -> None:
    """What works here, what is missing, and how to get it. Exit code 1 if something that everyone needs is missing."""
    rows = [(name, needed, *probe()) for name, needed, probe in PROBES]
    if as_json:
        keys = ("name", "needed", "works", "found", "remedy")
        console.print_json(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]))
    else:
        table = Table(box=None, pad_edge=False)
        for name in ("", "", "", "to get it"):
            table.add_column(name, overflow="fold")
        for name, needed, works, found, remedy in rows:
            word = "[green]ok[/]" if works else ("[bold red]missing[/]" if needed else "[yellow]not here[/]")
            table.add_row(name, word, found, "" if works else remedy)
        console.print(table)
    if not all(works for _, needed, works, _, _ in rows if needed):
        raise typer.Exit(1)


Answer = tuple[bool, str, str]  # works, what was found, remedy


def _python() -> Answer:
    from importlib.metadata import version

    return True, f"{platform.python_version()}, stone {version('stone-watermark')}", ""


def _package(name: str) -> Callable[[], Answer]:
    def probe() -> Answer:
        from importlib.metadata import PackageNotFoundError, version

        try:
            return True, version(name), ""
        except PackageNotFoundError:
            return False, "", "make setup"

    return probe


def _device() -> Answer:
    import torch

    if torch.cuda.is_available():
        return True, f"{torch.cuda.device_count()} x {torch.cuda.get_device_name(0)}", ""
    return False, f"CPU only, {os.cpu_count()} cores", "models of 7B want an NVIDIA GPU and a CUDA build of torch"


def _docker() -> Answer:
    from stone.sandbox.docker import docker_trouble

    trouble = docker_trouble()
    return (
        trouble is None,
        "an engine with the image" if trouble is None else trouble,
        "apt-get install docker.io; stone sandbox build",
    )


def _bubblewrap() -> Answer:
    from stone.sandbox.bubblewrap import bubblewrap_trouble

    trouble = bubblewrap_trouble()
    return trouble is None, "works" if trouble is None else trouble, "apt-get install bubblewrap"


def _sandbox() -> Answer:
    works = [name for name, probe in (("docker", _docker), ("bubblewrap", _bubblewrap)) if probe()[0]]
    return bool(works), ", ".join(works), "apt-get install bubblewrap"


def _program(name: str, package: str) -> Callable[[], Answer]:
    def probe() -> Answer:
        path = shutil.which(name)
        return path is not None, path or "", f"apt-get install {package}"

    return probe


def _folder(variable: str, default: str, what: str) -> Callable[[], Answer]:
    def probe() -> Answer:
        folder = Path(os.environ.get(variable, default))
        return folder.is_dir(), str(folder) if folder.is_dir() else "", f"set {variable} to a folder with {what}"

    return probe


def _embedded() -> Answer:
    from stone.models import ModelError, load_tokenizer

    try:
        load_tokenizer("mini")
        load_tokenizer("mini-judge")
    except ModelError as error:
        return False, str(error), "reinstall"
    return True, "mini, mini-judge", ""


def _key() -> Answer:
    return (
        bool(os.environ.get("STONE_KEY")),
        "STONE_KEY is set" if os.environ.get("STONE_KEY") else "",
        "export STONE_KEY, or --key-file",
    )


# Name, whether everyone needs it, probe.
PROBES: list[tuple[str, bool, Callable[[], Answer]]] = [
    ("Python", True, _python),
    ("torch", True, _package("torch")),
    ("transformers", True, _package("transformers")),
    ("Snakemake", True, _package("snakemake")),
    ("embedded models", True, _embedded),
    ("GPU", False, _device),
    ("sandbox", True, _sandbox),
    ("  Docker", False, _docker),
    ("  bubblewrap", False, _bubblewrap),
    ("C++ compiler", False, _program("g++", "g++")),
    ("Java compiler", False, _program("javac", "default-jdk-headless")),
    ("SLURM", False, _program("sbatch", "slurm-wlm, or log in to a cluster's front end")),
    ("SLURM plugin", False, _package("snakemake-executor-plugin-slurm")),
    ("own key", False, _key),
    ("test data", False, _folder("STONE_DATA", "../shared/data", "HumanEval+, MBPP+ and HumanEvalPack")),
    ("golden vectors", False, _folder("STONE_GOLDEN", "../shared/golden", "recorded facts of the original code")),
]
