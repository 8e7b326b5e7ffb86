"""Benchmarks: one `Problem` for all of them, and loaders that check what they read."""

import gzip
import hashlib
import json
import os
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

LANGUAGE = {
    "humanevalplus": "python",
    "mbppplus": "python",
    "hep-python": "python",
    "hep-cpp": "cpp",
    "hep-java": "java",
    "mini-python": "python",
    "mini-cpp": "cpp",
    "mini-java": "java",
}
DATASETS = tuple(LANGUAGE)
VERSIONS = {"humanevalplus": ("v0.1.10",), "mbppplus": ("v0.2.0", "v0.1.0")}  # the first is the default
HEP_PROBLEMS = 164  # in each language
HEP_REVISION = "9a41762f73a8cb23bb5811b73d5aca164efe378f"  # bigcode/humanevalpack

# Digests of the uncompressed JSON lines of the known versions.
SHA256 = {
    "HumanEvalPlus-v0.1.10": "42526ec0e7d5f3ee0b06d6ced98f8c8bae3d76519151bfb3d36f79010645bd7f",
    "MbppPlus-v0.1.0": "a855b9de667baea8e2f8aa61f898767a7336872208a85222b35622545e819fe9",
    "MbppPlus-v0.2.0": "b54e762755248ca411b523c917fa9f93c07b5ff2966bf60b3917b853926a3dad",
}


@dataclass(frozen=True)
class Problem:
    """A programming task with its human solution and its tests.

    prompt + reference is the human solution (mbppplus: reference alone). Tests are either `test`, source text in the language's
    HumanEval convention, or `inputs`, argument lists whose right outputs are those of the human solution.
    """

    task_id: str
    language: str
    prompt: str
    entry_point: str
    reference: str
    dataset: str = ""
    test: str = ""
    inputs: tuple = ()
    atol: float = 0.0
    buggy: str | None = None

    @property
    def human_solution(self) -> str:
        """The whole human program, without tests."""
        return self.reference if self.dataset == "mbppplus" else self.prompt + self.reference


def load_problems(name: str, source: str | Path | None = None, version: str | None = None) -> list[Problem]:
    """Problems of a benchmark, in the file's order.

    Parameters
    ----------
    name : one of `DATASETS`.
    source : a file, or a folder holding HumanEvalPlus*.jsonl.gz, MbppPlus*.jsonl.gz, humanevalpack/<language>.jsonl(.gz). Default: the
        folder in the environment variable STONE_DATA, else evalplus' own cache or the Hugging Face hub. The mini data are embedded.
    version : of humanevalplus and mbppplus, see `VERSIONS`.

    Raises ValueError for an unknown name or version and for a file that is missing, damaged or not of this benchmark. Warns when a
    HumanEvalPack file, of which no digest is known, has another number of problems than it should.
    """
    if name not in LANGUAGE:
        raise ValueError(f"dataset {name!r} is unknown; choose one of {', '.join(DATASETS)}")
    known = VERSIONS.get(name)
    if version is not None and version not in (known or ()):
        raise ValueError(f"{name} has no version {version!r}; choose one of {', '.join(known or ('(none: leave it out)',))}")
    version = version or (known[0] if known else None)
    if name.startswith("mini-"):
        path = Path(str(files("stone.mini"))) / "problems" / f"{LANGUAGE[name]}.jsonl"
    else:
        path = _locate(name, source or os.environ.get("STONE_DATA"), version)
    _check_digest(path, name, version)
    make = _MAKE.get(name, _humanevalpack)
    problems = [make(record, name) for record in _records(path, name)]
    if name.startswith("hep-") and len(problems) != HEP_PROBLEMS:
        warnings.warn(f"{path} holds {len(problems)} of HumanEvalPack's {HEP_PROBLEMS} problems; it may be cut off", stacklevel=2)
    return problems


# -- reading --------------------------------------------------------------------------------------------------------------------
def _stem(name: str, version: str | None) -> str:
    return f"{'HumanEvalPlus' if name == 'humanevalplus' else 'MbppPlus'}-{version}"


def _locate(name: str, source: str | Path | None, version: str | None) -> Path:
    if source is None:
        return _download(name, version)
    source = Path(source)
    if source.is_file():
        return source
    stems = [f"humanevalpack/{LANGUAGE[name]}"] if version is None else [_stem(name, version)]
    for candidate in (source / f"{stem}{suffix}" for stem in stems for suffix in (".jsonl.gz", ".jsonl")):
        if candidate.is_file():
            return candidate
    raise ValueError(f"{name}: {source} holds no {stems[0]}.jsonl.gz or .jsonl; give the file itself or a folder that has it")


def _download(name: str, version: str | None) -> Path:
    advice = "connect to the network, or give source= (config: `data.source`), or set STONE_DATA to a folder with the files"
    try:
        if version is None:
            from huggingface_hub import hf_hub_download

            file = f"data/{LANGUAGE[name]}/data/humanevalpack.jsonl"
            return Path(hf_hub_download("bigcode/humanevalpack", file, repo_type="dataset", revision=HEP_REVISION))
        from evalplus.data import get_human_eval_plus, get_mbpp_plus
        from evalplus.data.utils import CACHE_DIR

        (get_human_eval_plus if name == "humanevalplus" else get_mbpp_plus)(version=version)
        return Path(CACHE_DIR) / f"{_stem(name, version)}.jsonl"
    except Exception as error:  # the hubs' clients raise dozens of kinds
        raise ValueError(f"{name} could not be downloaded ({type(error).__name__}); {advice}") from error


def _bytes(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
        return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw
    except (OSError, EOFError) as error:
        raise ValueError(f"{path} cannot be read: {error}; fetch the file again") from None


def _check_digest(path: Path, name: str, version: str | None) -> None:
    wanted = SHA256.get(path.name.removesuffix(".gz").removesuffix(".jsonl")) if version else None
    if wanted and (found := hashlib.sha256(_bytes(path)).hexdigest()) != wanted:
        raise ValueError(f"{path} is damaged: its sha256 is {found[:12]}..., not {wanted[:12]}...; fetch the file again")


def _records(path: Path, name: str) -> Iterator[dict]:
    try:
        lines = _bytes(path).decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError(f"{path} is no text; {name} is expected as JSON lines, plain or gzip") from None
    if not any(line.strip() for line in lines):
        raise ValueError(f"{path} is empty; fetch {name} again")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            missing = {"task_id", "prompt", "entry_point", "canonical_solution"} - set(record)
        except (json.JSONDecodeError, TypeError) as error:
            raise ValueError(f"{path}, line {number}: no JSON object ({error}); fetch {name} again") from None
        if missing:
            raise ValueError(f"{path}, line {number}: keys {', '.join(sorted(missing))} are missing; this is no {name} file")
        yield record


# -- records to problems ---------------------------------------------------------------------------------------------------------
def _common(record: dict, name: str) -> dict:
    return {
        "task_id": record["task_id"],
        "language": LANGUAGE[name],
        "prompt": record["prompt"],
        "entry_point": record["entry_point"],
        "reference": record["canonical_solution"],
        "dataset": name,
    }


def _humanevalpack(record: dict, name: str) -> Problem:
    """HumanEvalPack and the mini data: tests as source text."""
    return Problem(**_common(record, name), test=record["test"], buggy=record.get("buggy_solution"))


def _inputs(record: dict) -> tuple:
    return (*record["base_input"], *(record["plus_input"] or []))


def _humanevalplus(record: dict, name: str) -> Problem:
    return Problem(**_common(record, name), inputs=_inputs(record), atol=record["atol"])


def _mbppplus(record: dict, name: str) -> Problem:
    from evalplus.data.mbpp import mbpp_deserialize_inputs

    number = record["task_id"].removeprefix("Mbpp/")
    inputs = [mbpp_deserialize_inputs(f"Mbpp/{number}", part or []) for part in (record["base_input"], record["plus_input"])]
    return Problem(**_common(record, name), inputs=(*inputs[0], *inputs[1]), atol=record["atol"])


_MAKE: dict[str, Callable[[dict, str], Problem]] = {"humanevalplus": _humanevalplus, "mbppplus": _mbppplus}
