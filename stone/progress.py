"""Progress bars with rate and remaining time on the terminal; what was done, and how fast, goes to the job's log."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm


@contextmanager
def progress_bar(title: str, unit: str, log: str | Path, total: int | None = None) -> Iterator[Callable[[int], object]]:
    """Yields the function to call with the number of items done since last time."""
    with tqdm(total=total, desc=title, unit=unit, mininterval=1.0) as bar:
        try:
            yield bar.update
        finally:
            Path(log).write_text(f"{bar}\n", encoding="utf-8")
