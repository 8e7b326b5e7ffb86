"""Where the tests find material that is not part of the project: STONE_DATA and STONE_GOLDEN."""

import gzip
import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# A shell starts background jobs with Ctrl-C ignored, and their children inherit that: tests of Ctrl-C need it as a user has it.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent


def _folder(variable: str, default: str) -> Path:
    folder = Path(os.environ.get(variable, ROOT.parent / "shared" / default))
    if not folder.is_dir():
        pytest.skip(f"{variable}: no folder {folder}; set {variable} to run this test")
    return folder


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """Real benchmarks and the Qwen2.5 tokenizer."""
    return _folder("STONE_DATA", "data")


@pytest.fixture(scope="session")
def golden_folder() -> Path:
    """Golden vectors recorded from the original implementations."""
    return _folder("STONE_GOLDEN", "golden")


@pytest.fixture(scope="session")
def golden(golden_folder) -> dict:
    with gzip.open(golden_folder / "golden_public.json.gz", "rt") as file:
        return json.load(file)


@pytest.fixture(scope="session")
def qwen_tokenizer(data_folder):
    from tokenizers import Tokenizer
    from transformers import PreTrainedTokenizerFast

    with gzip.open(data_folder / "qwen2.5-tokenizer" / "tokenizer.json.gz", "rt") as file:
        return PreTrainedTokenizerFast(tokenizer_object=Tokenizer.from_str(file.read()))
