"""What the authors' released code does to real, unmarked human code (the facts that it was found to have)."""

import pytest

from stone import load_problems
from stone.audit import SWITCHES, audit
from stone.scan import tokenise

V = 151_936


def audited(name, data_folder, tokenizer, stand_in=False, version=None):
    """The audit of a benchmark's human solutions; they may stand in for the model's texts too."""
    problems = load_problems(name, source=data_folder, version=version)
    human = tokenise(tokenizer, V, problems, {})
    records = [{"task_id": r.task_id, "sample": 0, "token_ids": r.ids[r.prompt_length :]} for r in human.itertuples()]
    texts = tokenise(tokenizer, V, problems, {"none": records} if stand_in else {})
    settings = {"gamma": 0.5, "delta": 0.5, "language": problems[0].language}
    return audit(texts, tokenizer, settings, name).set_index("Deviation")


@pytest.mark.parametrize("name", ["humanevalplus", "hep-cpp", "hep-java"])
def test_human_code_is_flagged_by_the_released_code_and_not_by_the_papers(name, data_folder, qwen_tokenizer):
    found = audited(name, data_folder, qwen_tokenizer)
    assert list(found.index) == list(SWITCHES) and (found.Texts == 164).all()
    paper, released = found.loc["paper"], found.loc["all together"]
    assert paper["FPR at z > 4"] <= 0.01 and abs(paper["Mean z"]) < 1 and 0.7 < paper["SD of z"] < 1.7
    assert 0.80 <= released["FPR at z > 4"] <= 0.93
    assert found.loc["statistic: released", "FPR at z > 4"] > 0.1 > found.loc["context: 0", "FPR at z > 4"] > paper["FPR at z > 4"]
    assert found.loc["candidate: argmax"].drop("AUROC at delta 0").equals(paper.drop("AUROC at delta 0"))


def test_mismatched_negatives_give_an_auroc_without_any_mark(data_folder, qwen_tokenizer):
    """MBPP+: the same human texts on both sides, with the prompt on one side only."""
    found = audited("mbppplus", data_folder, qwen_tokenizer, stand_in=True, version="v0.1.0")
    assert found.loc["paper", "AUROC at delta 0"] == pytest.approx(0.5)
    assert 0.75 < found.loc["all together", "AUROC at delta 0"] < 0.9
