"""ACW in the library: marking, detecting, its null, and its place beside the green lists."""

import numpy as np
import pandas as pd
import pytest

from stone import Program, Watermark, WatermarkConfig, load_problems, run_programs
from stone.evaluation import grid_frame, metrics_rows, of_cell, paired_rows, rivals, wide
from stone.experiment import POST_HOC, Cell, marked_cells, text_cells
from stone.generation import Decoding, generate, mark_completions
from stone.methods import METHODS
from stone.models import load_model, prompt_ids
from stone.solutions import extract_solution

PROBLEMS = load_problems("mini-cpp")[:12]


@pytest.fixture(scope="module")
def mini():
    return load_model("mini")


@pytest.fixture(scope="module")
def mark(mini):
    return Watermark(WatermarkConfig(method="acw", language="cpp", key=7), mini.tokenizer, mini.vocab_size)


def test_marked_human_code_carries_every_bit_behind_the_prompt(mark):
    for p in PROBLEMS:
        marked = mark.mark(p.human_solution, len(p.prompt))
        start = len(mark.tokenizer(p.prompt)["input_ids"])
        ids = mark.tokenizer(p.prompt)["input_ids"] + mark.tokenizer(marked[len(p.prompt) :])["input_ids"]
        found = mark.detect(ids, prompt_length=start)
        assert marked.startswith(p.prompt) and found.green == found.scored > 0
        assert found.p_value == pytest.approx(2.0**-found.scored) and found.z == pytest.approx(found.scored**0.5)
        assert (found.flags == -1).all() and not found.weights.any() and len(found.flags) == len(ids)
        assert mark.detect(mark.mark(p.human_solution)).green == mark.detect(mark.mark(p.human_solution)).scored
        assert mark.detect_many([ids], [start])[0].z == found.z


def test_the_null_is_binomial_over_keys_whatever_people_are_used_to(mini):
    """Mean matches n/2 and variance n/4 over 300 keys, for human code whose forms are far from fair coins."""
    texts = [p.human_solution for p in PROBLEMS]
    z = []
    for key in range(300):
        other = Watermark(WatermarkConfig(method="acw", language="cpp", key=key), mini.tokenizer, mini.vocab_size)
        z.append([other.detect(text).z for text in texts])
    assert abs(np.mean(z)) < 0.05 and np.std(z) == pytest.approx(1, abs=0.05)
    assert np.abs(np.mean(z, axis=0)).max() < 0.2


def test_generation_with_a_posthoc_mark_rewrites_the_unmarked_text(mini, mark):
    decoding = Decoding(max_new_tokens=120)
    plain = generate(mini, PROBLEMS[:4], None, 2, 0, decoding)
    marked = generate(mini, PROBLEMS[:4], mark, 2, 0, decoding)
    assert marked == mark_completions(mark, PROBLEMS[:4], plain) and any(
        m.text != p.text for m, p in zip(marked, plain, strict=True)
    )
    problem = {p.task_id: p for p in PROBLEMS}
    scored = [0, 0]
    for text in marked:
        prompt = prompt_ids(mini.tokenizer, problem[text.task_id].prompt)
        assert mini.tokenizer.decode(text.token_ids) == text.text
        found = mark.detect(prompt + text.token_ids, len(prompt))
        scored = [scored[0] + found.green, scored[1] + found.scored]
    assert scored[0] == scored[1] > 8
    both = [[Program(problem[c.task_id], extract_solution(problem[c.task_id], c.text)) for c in texts] for texts in (plain, marked)]
    before, after = ([v.status for v in run_programs(programs, backend="bubblewrap")] for programs in both)
    assert before == after and "passed" in before


def test_errors_are_one_line(mark, mini):
    with pytest.raises(ValueError, match=r"acw marks finished code.*Watermark\.mark"):
        mark.processor()
    with pytest.raises(ValueError, match=r"kgw marks while code is generated.*processor"):
        Watermark(WatermarkConfig(method="kgw"), mini.tokenizer).mark("x = 1")
    with pytest.raises(ValueError, match=r"gamma is 0\.25; with acw it must be 0\.5"):
        WatermarkConfig(method="acw", gamma=0.25)


def test_a_posthoc_cell_appears_once_and_matches_its_rows():
    assert {name for name, method in METHODS.items() if method.posthoc} == set(POST_HOC)
    config = {
        "methods": ["stone", "acw"],
        "points": {"default": [{"gamma": 0.5, "delta": 1.0}, {"gamma": 0.5, "delta": 2.0}]},
        "sweeps": [{"dataset": "mini-cpp", "methods": ["acw"], "gammas": [0.25], "deltas": [1.0]}],
    }
    cells = marked_cells(config, "mini-cpp")
    assert [c.name for c in cells] == ["stone-g0.5-d1.0", "acw", "stone-g0.5-d2.0"] and Cell("acw") in text_cells(
        config, "mini-cpp"
    )
    rows = pd.DataFrame([c.setting for c in cells])
    assert [of_cell(rows, c).index.tolist() for c in cells] == [[0], [1], [2]]


def test_metrics_keep_methods_without_gamma_and_delta():
    cells = [Cell("stone", 0.5, 1.0), Cell("acw"), Cell("stone", 0.5, 2.0)]
    draw = np.random.default_rng(0)
    names = [(f"t{t}", s) for t in range(6) for s in range(5)]
    texts = pd.DataFrame(
        [(c, *n) for c in ("none", *(c.name for c in cells)) for n in names], columns=["cell", "task_id", "sample"]
    )
    verdicts = texts.assign(status=draw.choice(["passed", "failed"], len(texts)))
    found = pd.concat(
        [
            pd.DataFrame(names, columns=["task_id", "sample"]).assign(**c.setting, source=source, z=draw.normal(size=30))
            for c in cells
            for source in ("marked", "human")
        ]
    )
    found = found[(found.source == "marked") | (found["sample"] == 0)]
    metrics = metrics_rows(cells, verdicts, found, texts.assign(perplexity=draw.uniform(2, 3, len(texts))), 20)
    metrics = metrics.assign(model="m", dataset="mini-cpp")
    assert metrics.groupby("method").size().to_dict() == {"acw": 9, "none": 4, "stone": 18}
    table = wide(metrics)
    assert table.method.tolist() == ["stone", "acw", "stone"] and table.notna().sum(axis=1).tolist() == [8, 6, 8]
    assert [(keys[3], group.method.tolist()) for keys, group in rivals(table)] == [(1.0, ["stone", "acw"]), (2.0, ["stone", "acw"])]
    alone = [(keys[2:], group.method.tolist()) for keys, group in rivals(table[table.method == "acw"])]
    assert np.isnan(alone[0][0]).all() and alone[0][1] == ["acw"]
    assert grid_frame(metrics).groupby(["delta", "method"]).size().to_dict() == {
        (d, m): 66 for d in (1.0, 2.0) for m in ("acw", "stone")
    }
    pairs = paired_rows(cells, verdicts, found, resamples=20)
    assert pairs[["method", "delta", "metric"]].to_numpy().tolist() == [
        ["acw", d, m] for d in (1.0, 2.0) for m in ("pass@1", "auroc")
    ]
