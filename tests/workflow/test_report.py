"""The report of an experiment in a real browser."""

import pandas as pd
import pytest
from browser import WIDTHS, opened
from test_workflow import snakemake


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    run = snakemake(folder, "report", methods=["kgw", "stone"], data={"limit": 3})
    assert run.returncode == 0, run.stderr[-3000:]
    return folder / "results/test-small/report.html"


@pytest.mark.parametrize("width", WIDTHS.values(), ids=WIDTHS)
def test_the_page_fits_is_silent_and_asks_nothing_of_the_network(report, width):
    with opened(report, width) as view:
        assert view.complaints == []
        assert [url for url in view.requests if not url.startswith(("file:", "data:"))] == []
        assert view.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert view.page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth > 0)")
        assert view.page.locator("h2").all_inner_texts() == ["Summary", "Figures", "Tables", "Samples", "Provenance"]
        assert view.page.locator("#summary + ul li").count() == 1


def test_tables_sort_by_a_click(report):
    with opened(report, WIDTHS["desktop"]) as view:
        column = view.page.locator("#table-unmarked tbody tr td:nth-child(6)")
        before = column.all_inner_texts()
        view.page.locator("#table-unmarked th:nth-child(6) button").click()
        after = column.all_inner_texts()
        assert after == sorted(before, key=float)
        view.page.locator("#table-unmarked th:nth-child(6) button").click()
        assert column.all_inner_texts() == sorted(before, key=float, reverse=True)


def test_samples_show_their_tokens_and_the_key_is_nowhere(report):
    with opened(report, WIDTHS["desktop"]) as view:
        assert view.page.locator("#samples ~ details pre.tokens span").count() > 20
        assert "z so far" in view.page.locator("pre.tokens span").first.get_attribute("title")
        assert "scrypt$" in view.page.locator("#provenance + dl").inner_text()
        assert "15485863" not in view.page.content()


def test_every_table_and_figure_is_on_the_page(report):
    made = {p.stem for p in (report.parent / "tables").glob("*.csv")} | {p.stem for p in (report.parent / "figures").glob("*.png")}
    text = report.read_text()
    assert len(made) > 12 and all(f'id="table-{name}"' in text or f'id="figure-{name}"' in text for name in made)
    assert pd.read_csv(report.parent / "tables/main.csv").shape[0] == 2
