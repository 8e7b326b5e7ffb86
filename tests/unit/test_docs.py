"""Every Python example of the README and of docs/ runs as it stands; links between the pages lead somewhere."""

import re
from pathlib import Path

import pytest
import yaml

from stone.settings import resolve

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "config/README.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_examples_run(page):
    scope: dict = {}
    for example in re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL):
        exec(compile(example, str(page), "exec"), scope)


def test_example_configs_are_allowed():
    schema = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
    examples = [e for page in PAGES for e in re.findall(r"```yaml\n(.*?)```", page.read_text(), flags=re.DOTALL)]
    assert [resolve(yaml.safe_load(example), schema)["experiment"] for example in examples] == ["mine", "paraphrase"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    targets = re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text())
    assert [t for t in targets if not t.startswith("http") and not (page.parent / t).exists()] == []


def test_files_that_the_docs_name_exist():
    named = {n for page in PAGES for n in re.findall(r"`((?:tests|stone|config|workflow|envs)/[\w./-]+\.\w+)`", page.read_text())}
    assert len(named) > 10 and [n for n in named if not (ROOT / n).exists() and n != "stone/methods/mine.py"] == []
