"""Tables of what makes the results believable: paired differences, tokens that a verdict needs, time, round trips."""

import math
from itertools import product

import pandas as pd

from stone.scoring import tokens_needed
from stone.tables.estimates import SETTING, estimates, named
from stone.tables.paper import beside


def timing(times: pd.DataFrame, printed: pd.DataFrame) -> pd.DataFrame:
    """Milliseconds a text for insertion and detection, mean and standard deviation over repeats; beside them the paper's totals in seconds
    for a whole dataset, where it has one."""
    rows = []
    for keys, group in times.groupby(["model", "dataset", "method"], sort=False):
        insertion, detection = 1000 * group.insertion, 1000 * group.detection
        rows.append((*keys, insertion.mean(), insertion.std(), detection.mean(), detection.std(), len(group)))
    columns = ["model", "dataset", "method", "Insertion (ms)", "Insertion, SD", "Detection (ms)", "Detection, SD", "Repeats"]
    return named(beside(pd.DataFrame(rows, columns=columns), printed))


def ablation(pairs: pd.DataFrame) -> pd.DataFrame:
    """Every method less STONE at the same gamma and delta (a post-hoc method: at each), paired over problems, with 95 % intervals; where there
    is a column key, under each key and over all of them (`stone.replication`)."""
    titles, keys = {"pass@1": "pass@1 less STONE's", "auroc": "AUROC less STONE's"}, [*SETTING, "method"]
    if pairs.empty:
        return pd.DataFrame(columns=[*map(str.capitalize, keys), "n"])
    keyed = "key" in pairs
    return named(estimates(pairs, titles, [*keys, *(["key"] if keyed else [])])).rename(columns={"key": "Key"})


def power(shares: pd.DataFrame) -> pd.DataFrame:
    """Scored tokens that a verdict needs at the measured green share (`stone.evaluation.green_shares`): the fewest with which a marked text has
    p < alpha at least half of the time, and nine times out of ten; missing where the share does not exceed gamma."""
    frame = shares[[*SETTING, "method"]].assign(
        **{
            "Green share": shares.value,
            "Green share 95 %": [f"[{low:.3f}, {high:.3f}]" for low, high in zip(shares.low, shares.high, strict=True)],
            "Scored share": shares.scored,
        }
    )
    for alpha, chance in product((0.01, 0.001), (0.5, 0.9)):
        frame[f"FPR {100 * alpha:g} %, power {100 * chance:g} %"] = [
            tokens_needed(gamma, share, alpha, chance) if share > gamma else math.nan
            for gamma, share in zip(shares.gamma, shares.value, strict=True)
        ]
    return named(frame.assign(n=shares.n))


def round_trip(texts: pd.DataFrame) -> pd.DataFrame:
    """How much of marked texts survives decoding and encoding again, and what it costs in z (`stone.scan.round_trip`)."""
    rows = []
    for keys, group in texts.groupby([*SETTING, "method"], sort=False, dropna=False):
        same = (group.survived == group.tokens) & (group.z == group.z_encoded)
        shares = 100 * group.survived.sum() / group.tokens.sum(), 100 * same.mean()
        rows.append((*keys, len(group), *shares, group.z.mean(), group.z_encoded.mean(), (group.z_encoded - group.z).abs().max()))
    heads = ["Texts", "Ids kept (%)", "Texts unchanged (%)", "Mean z drawn", "Mean z encoded", "Largest change of z"]
    return named(pd.DataFrame(rows, columns=[*SETTING, "method", *heads]))
