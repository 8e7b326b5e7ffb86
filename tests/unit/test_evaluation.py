"""Metrics, grid, tables and figures from small frames whose answers are known."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from stone import figures, tables
from stone.evaluation import grid_frame, metrics_rows
from stone.experiment import Cell
from stone.metrics import auroc

PUBLISHED = Path(__file__).resolve().parents[2] / "config/published"
CELLS = [Cell(m, 0.5, 2.0) for m in ("kgw", "ewd", "stone")]


@pytest.fixture(scope="module")
def frames():
    rng, tasks = np.random.default_rng(0), [f"T/{i}" for i in range(12)]
    rows = [(c, t, s) for c in ("none", "kgw-g0.5-d2.0", "stone-g0.5-d2.0") for t in tasks for s in range(5)]
    base = pd.DataFrame(rows, columns=["cell", "task_id", "sample"])
    verdicts = base.assign(status=np.where(rng.random(len(base)) < 0.6, "passed", "failed"))
    perplexities = base.assign(perplexity=np.where(base.cell == "none", 2.0, 2.2))
    z = [
        (c.method, 0.5, 2.0, source, t, s, shift + rng.normal())
        for c in CELLS
        for source, shift, samples in (("human", 0, 1), ("unmarked", 0, 5), ("marked", 2, 5))
        for t in tasks
        for s in range(samples)
    ]
    detections = pd.DataFrame(z, columns=["method", "gamma", "delta", "source", "task_id", "sample", "z"])
    return verdicts, detections, perplexities


@pytest.fixture(scope="module")
def metrics(frames):
    return metrics_rows(CELLS, *frames, resamples=50).assign(model="mini", dataset="mini-cpp")


def test_metrics_hold_what_the_frames_say(frames, metrics):
    verdicts = frames[0]
    value = metrics.set_index(["method", "metric"]).value
    assert value["none", "pass@1"] == pytest.approx((verdicts[verdicts.cell == "none"].status == "passed").mean())
    stone = frames[1][frames[1].method == "stone"]
    sides = [stone[stone.source == source].z for source in ("marked", "human")]
    assert value["stone", "auroc"] == pytest.approx(auroc(*sides))
    assert value["ewd", "pass@1"] == value["kgw", "pass@1"]
    assert value["stone", "imperceptibility"] == pytest.approx(0.9)
    parts = [value["stone", m] for m in ("correctness", "auroc", "imperceptibility")]
    assert value["stone", "stem"] == pytest.approx(np.mean(parts))
    assert (metrics.low <= metrics.value + 1e-9).all() and (metrics.value <= metrics.high + 1e-9).all()


def test_grid_and_tables(metrics, tmp_path):
    grid = grid_frame(metrics)
    assert len(grid) == 66 * 3 and grid.groupby(["alpha", "beta", "zeta"])["first"].any().all()
    paper = tables.read_paper(PUBLISHED)
    shares = tables.stem_grid_shares(grid, paper["stem_grid"])
    assert shares["First alone"].sum() <= 1 <= shares["First"].sum() + 1e-9
    for name, frame in {
        "main": tables.main(metrics, paper["main"]),
        "unmarked": tables.unmarked(metrics, paper["unmarked"]),
        "weights": tables.stem_weights(metrics, paper["stem_weights"]),
    }.items():
        assert len(frame), name
        tables.write_table(frame, tmp_path / name)
        assert (tmp_path / f"{name}.tex").read_text().count("\\\\\n") == len(frame) + 1
        assert (tmp_path / f"{name}.md").read_text().count("\n") == len(frame) + 2
    assert set(tables.unmarked(metrics, paper["unmarked"]).Method) == {"No watermark", "KGW", "EWD", "STONE"}


def test_figures_are_drawn_and_reproducible(frames, metrics, tmp_path):
    detections = frames[1].assign(model="mini", dataset="mini-cpp")
    tokens = pd.DataFrame({"source": "unmarked", "category": ["etc", "keyword"] * 20, "token": "x", "entropy": np.arange(40) / 20})
    tokens = tokens.assign(model="mini", dataset="mini-cpp")
    drawn = {
        "entropy": lambda: figures.entropy_by_type(tokens),
        "bubble": lambda: figures.tradeoff_bubble(metrics),
        "roc": lambda: figures.roc(detections),
        "z": lambda: figures.z_histogram(detections),
        "ternary": lambda: figures.stem_ternary(grid_frame(metrics)),
    }
    for name, draw in drawn.items():
        for attempt in ("a", "b"):
            figures.write_figure(draw(), tmp_path / attempt / name)
        for kind in ("pdf", "png"):
            files = [(tmp_path / attempt / f"{name}.{kind}").read_bytes() for attempt in ("a", "b")]
            assert files[0] == files[1] and len(files[0]) > 3000, name
    selection = tables.sweet_selection(tokens, tables.read_paper(PUBLISHED)["sweet_selection"], thresholds=[0.9])
    assert selection["Selected (%)"].item() == pytest.approx(100 * (tokens.entropy > 0.9).mean())
