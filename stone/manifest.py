"""How an experiment's numbers came about: config, code, versions, hardware."""

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from stone.keys import commit

_PACKAGES = ("torch", "transformers", "tokenizers", "numpy", "pandas", "scikit-learn", "evalplus", "snakemake", "matplotlib")


def manifest(config: dict[str, Any]) -> dict[str, Any]:
    """Provenance of a run. The watermark key is secret: only a commitment to it is kept."""
    shown = {**config, "watermark": {**config["watermark"], "key": commit(config["watermark"]["key"])}}
    return {
        "config": shown,
        "code": {"revision": _git("rev-parse", "HEAD"), "changed_files": _git("status", "--porcelain", "--untracked-files=no")},
        "versions": {"python": platform.python_version(), **{name: _version(name) for name in _PACKAGES}},
        "hardware": {"machine": platform.machine(), "cpus": os.cpu_count(), "system": platform.system()},
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _git(*arguments: str) -> str | None:
    here = Path(__file__).parent  # the experiment may run elsewhere
    run = subprocess.run(["git", "-C", str(here), *arguments], capture_output=True, text=True, check=False)
    return run.stdout.strip() if run.returncode == 0 else None
