"""The paper's printed numbers, each with the setting that it holds for, and their place beside ours."""

from pathlib import Path

import numpy as np
import pandas as pd

from stone.display import CATEGORY_NAMES, METHOD_NAMES

MODEL = "qwen2.5-coder-7b"  # of every table but those of Llama-3.1-8B; the name that config/paper.yaml gives it
_PARTS = {"correctness": "Correctness", "detectability": "Detectability", "imperceptibility": "Imperceptibility"}


def read_paper(folder: Path) -> dict[str, pd.DataFrame]:
    """The paper's numbers by table: key columns (model, dataset, gamma, delta, method, weights, threshold, category; as many as the table
    has) and a column per quantity, titled like ours.

    folder : config/published.
    """
    read = lambda name: pd.read_csv(folder / f"{name}.csv")  # noqa: E731
    points, results, stem, statements = read("points"), read("results"), read("stem"), read("statements").set_index("name").printed
    keys = ["model", "dataset", "gamma", "delta", "method"]
    parts = results.merge(points, on="dataset")[["table", *keys, *_PARTS]].rename(columns=_PARTS)
    scores = stem.merge(points, on="dataset")
    wide = lambda frame, column: frame.pivot(index=keys, columns=column, values="stem").reset_index()  # noqa: E731
    equal = scores[scores.weights == "equal"].drop_duplicates(keys)[[*keys, "stem"]].rename(columns={"stem": "STEM"})
    weighted = scores[scores.table.isin(["stem_weights", "llama_stem_weights"])]
    llama = wide(scores[scores.table == "llama_stem_weights"], "weights").rename(columns=lambda c: c if c in keys else f"STEM, {c}")
    by_method = weighted.assign(method=weighted.method.map(METHOD_NAMES)).pivot(
        index=["model", "dataset", "gamma", "delta", "weights"], columns="method", values="stem"
    )
    unmarked = read("unmarked").merge(points, on="dataset").assign(model=MODEL).rename(columns=_PARTS)
    unmarked.loc[unmarked.method == "none", ["gamma", "delta"]] = np.nan
    grid = read("stem_grid").merge(points, on="dataset").assign(model=MODEL, method="stone")
    selection = read("sweet_selection").assign(model=MODEL)
    for category, name in CATEGORY_NAMES.items():
        if category != "etc":  # the text has them for one dataset and threshold
            here = (selection.dataset == "humanevalplus") & (selection.threshold == 0.9)
            plural = "whitespace" if category == "whitespace" else f"{category}s"
            selection.loc[here, name] = float(statements[f"syntax_split_{plural}"])
    return {
        "main": parts[parts.table.isin(["main", "llama"])].drop(columns="table").merge(equal, on=keys),
        "llama": parts[parts.table == "llama"].drop(columns="table").merge(llama, on=keys),
        "stem_weights": by_method.reset_index(),
        "unmarked": unmarked,
        "stem_grid": grid.assign(First=grid.first_percent / 100).drop(columns="first_percent"),
        "sweet_selection": selection.rename(columns={"selected_percent": "Selected (%)", "syntax_percent": "Syntax (%)"}),
        "syntax_examples": read("syntax_examples")
        .assign(model=MODEL, dataset="humanevalplus")
        .rename(columns={"examples": "Examples"}),
        "timing": read("timing")
        .assign(model=MODEL)
        .rename(columns={"insertion_s": "insertion (s)", "detection_s": "detection (s)"}),
    }


_KEYS = ("model", "dataset", "gamma", "delta", "method", "weights", "threshold", "category")


def beside(frame: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """`frame` with a column "Paper: <title>" after each of ours that the paper prints too, at the end where ours has another title.

    Rows match where all key columns of `printed` agree. Columns without any match are left out: an experiment that is not the paper's
    shows none.
    """
    keys = [c for c in printed if c in _KEYS]
    matched = frame[keys].merge(printed, on=keys, how="left", validate="many_to_one")
    frame = frame.copy()
    for title in [c for c in printed if c not in keys]:
        if matched[title].notna().any():
            ours = [frame.columns.get_loc(c) for c in (title, f"{title} 95 %") if c in frame]
            frame.insert(max(ours, default=frame.shape[1] - 1) + 1, f"Paper: {title}", matched[title].to_numpy())
    return frame
