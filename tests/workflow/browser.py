"""A page in a real headless Chromium: what it logs, what it asks the network for, and whether it fits."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

WIDTHS = {"desktop": 1280, "phone": 390}


@dataclass
class Opened:
    page: object
    complaints: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)


@contextmanager
def opened(path: Path, width: int) -> Iterator[Opened]:
    """Open a file at a width in pixels. Skips without Chromium, but not in continuous integration."""
    chromium = shutil.which("chromium")
    if chromium is None:
        assert not os.environ.get("CI"), "continuous integration installs Chromium"
        pytest.skip("no chromium on this machine; apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": width, "height": 844})
        view = Opened(page)
        page.on("console", lambda message: view.complaints.append(message.text) if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: view.complaints.append(str(error)))
        page.on("request", lambda request: view.requests.append(request.url))
        page.goto(path.resolve().as_uri())
        yield view
        browser.close()
