"""Programs to train CodeIP's type predictor on: the embedded synthetic corpus, CodeSearchNet from the hub, or your own files."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pyarrow.parquet as parquet

from stone.mini.synthesis import documents

CODE_SEARCH_NET = "code-search-net/code_search_net"
SUFFIXES = {"python": (".py",), "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".h"), "java": (".java",)}
_SEED = 11  # other documents than those that the embedded models were trained on
_COLUMNS = ("whole_func_string", "func_code_string", "content", "code", "text")


class CorpusError(RuntimeError):
    """A corpus cannot be read; the message says why and what to do."""


def programs(source: str, language: str, n: int) -> list[str]:
    """The first n programs of a corpus.

    source : "mini" (synthetic), "code_search_net" (Python and Java, training split, downloaded), a folder of source files, or a Parquet file
    with a column of programs. Raises CorpusError when there is none.
    """
    if source == "mini":
        return [d.prompt + d.solution for d in documents(language, n, _SEED)]
    found = list(islice(_hub(language) if source == "code_search_net" else _local(Path(source), language), n))
    if not found:
        raise CorpusError(
            f"{source} holds no {language} programs; give a folder with {', '.join(SUFFIXES[language])} files, or a Parquet file"
        )
    return found


def _hub(language: str) -> Iterator[str]:
    if language not in ("python", "java"):
        raise CorpusError(
            f"CodeSearchNet has no {language}; name a folder of {language} sources, or mini, in type_predictor.corpora.{language}"
        )
    from huggingface_hub import hf_hub_download, list_repo_files

    try:
        names = list_repo_files(CODE_SEARCH_NET, repo_type="dataset")
        for name in sorted(n for n in names if n.startswith(f"{language}/train") and n.endswith(".parquet")):
            yield from _rows(Path(hf_hub_download(CODE_SEARCH_NET, name, repo_type="dataset")))
    except OSError as error:
        raise CorpusError(
            f"CodeSearchNet cannot be loaded ({type(error).__name__}); connect, or set type_predictor.corpora.{language}"
        ) from error


def _local(path: Path, language: str) -> Iterator[str]:
    if path.suffix == ".parquet":
        yield from _rows(path)
        return
    for file in sorted(p for p in path.rglob("*") if p.suffix in SUFFIXES[language] and p.is_file()):
        yield file.read_text(encoding="utf-8", errors="replace")


def _rows(path: Path) -> Iterator[str]:
    try:
        file = parquet.ParquetFile(path)
    except (OSError, ValueError) as error:
        raise CorpusError(f"{path} is no Parquet file ({error})") from None
    column = next((c for c in _COLUMNS if c in file.schema_arrow.names), None)
    if column is None:
        raise CorpusError(
            f"{path} has the columns {', '.join(file.schema_arrow.names)}; one of {', '.join(_COLUMNS)} must hold the programs"
        )
    for batch in file.iter_batches(columns=[column]):
        yield from (text for text in batch.column(0).to_pylist() if text)
