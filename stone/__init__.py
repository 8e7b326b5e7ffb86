"""STONE: syntax-aware watermarking of code, its baselines, and their evaluation.

The names below are the public API; everything else is reached through its module (`stone.partition`, `stone.metrics`, ...).
Imports are lazy so that `import stone` stays cheap for workflow scripts that need one room only.
"""

from importlib import import_module

_HOMES = {
    "WatermarkConfig": "stone.watermark",
    "Watermark": "stone.watermark",
    "Detection": "stone.watermark",
    "Problem": "stone.datasets",
    "load_problems": "stone.datasets",
    "Program": "stone.sandbox",
    "Verdict": "stone.sandbox",
    "run_programs": "stone.sandbox",
}
_ROOMS = ("entropy", "metrics", "partition", "scoring", "syntax")
__all__ = [*_HOMES, *_ROOMS]


def __getattr__(name: str):
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    if name in _ROOMS:
        return import_module(f"stone.{name}")
    raise AttributeError(f"module 'stone' has no attribute {name!r}")
