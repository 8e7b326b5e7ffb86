"""The evaluation's metrics: pass@k, AUROC, imperceptibility, STEM (paper section 3.2), and intervals by bootstrap over problems."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import comb

import numpy as np


def pass_at_k(n: int, c: int, k: int) -> float:
    """Unbiased pass@k = 1 - C(n-c, k) / C(n, k) of n samples with c passing (paper eq. 2, Chen et al. 2021).

    Raises ValueError unless 0 <= c <= n and 1 <= k <= n.
    """
    if not (0 <= c <= n and 1 <= k <= n):
        raise ValueError(f"pass@k got n={n}, c={c}, k={k}; it needs 0 <= c <= n and 1 <= k <= n")
    return 1 - comb(n - c, k) / comb(n, k)


def auroc(positive, negative) -> float:
    """Area under the ROC curve of scores [n] of marked texts against scores [m] of human texts; ties count half (paper eq. 6-8).

    Raises ValueError when a side is empty or has NaN.
    """
    from sklearn.metrics import roc_auc_score

    positive, negative = np.asarray(positive, dtype=float), np.asarray(negative, dtype=float)
    if not len(positive) or not len(negative) or np.isnan(positive).any() or np.isnan(negative).any():
        raise ValueError(
            f"AUROC got {len(positive)} positive and {len(negative)} negative scores; both need at least one and no NaN"
        )
    labels = np.repeat([1, 0], [len(positive), len(negative)])
    return float(roc_auc_score(labels, np.concatenate([positive, negative])))


def tpr_at_fpr(positive, negative, fpr: float) -> float:
    """True-positive rate at the lowest threshold whose false-positive rate is at most `fpr` (score > threshold is positive)."""
    positive, negative = np.asarray(positive, dtype=float), np.sort(np.asarray(negative, dtype=float))[::-1]
    allowed = min(int(np.floor(fpr * len(negative) + 1e-9)), len(negative) - 1)
    return float((positive > negative[allowed]).mean())


def imperceptibility(ppl_marked: float, ppl_plain: float) -> float:
    """1 - |PPL(marked) - PPL(unmarked)| / PPL(unmarked) (paper eq. 9); at most 1, negative for large shifts."""
    if not (ppl_plain > 0 and ppl_marked > 0):
        raise ValueError(f"perplexities are {ppl_marked} and {ppl_plain}; both must be positive")
    return float(1 - abs(ppl_marked - ppl_plain) / ppl_plain)


def stem(
    correctness: float, detectability: float, imperceptibility: float, weights: Sequence[float] = (1 / 3, 1 / 3, 1 / 3)
) -> float:
    """STEM = alpha correctness + beta detectability + zeta imperceptibility (paper eq. 1 of section 3.2).

    Raises ValueError unless the three weights are at least 0 and sum to 1.
    """
    if len(weights) != 3 or min(weights) < -1e-9 or abs(sum(weights) - 1) > 1e-6:
        raise ValueError(f"STEM weights are {tuple(weights)}; three numbers of at least 0 that sum to 1 are needed")
    return float(np.dot(weights, (correctness, detectability, imperceptibility)))


@dataclass(frozen=True)
class GridPoint:
    """One weighting of the STEM grid: its weights, the score of each method, and the methods in first place (several if tied)."""

    weights: tuple[float, float, float]
    scores: dict[str, float]
    winners: tuple[str, ...]


def stem_grid(scores: Mapping[str, Sequence[float]], step: float = 0.1, tolerance: float = 1e-9) -> list[GridPoint]:
    """STEM of every method at every weighting with weights in {0, step, ..., 1} that sum to 1 (66 points for 0.1; appendix).

    scores : method -> (correctness, detectability, imperceptibility). Methods within `tolerance` of the best share first place.
    """
    n = round(1 / step)
    if n < 1 or abs(n * step - 1) > 1e-9:
        raise ValueError(f"grid step is {step}; it must divide 1, e.g. 0.1")
    points = []
    for a in range(n + 1):
        for b in range(n + 1 - a):
            weights = (a / n, b / n, (n - a - b) / n)
            values = {method: stem(c, d, i, weights) for method, (c, d, i) in scores.items()}
            best = max(values.values())
            points.append(GridPoint(weights, values, tuple(m for m, v in values.items() if v >= best - tolerance)))
    return points


@dataclass(frozen=True)
class Estimate:
    """A value with its 95 % bootstrap interval and the number of problems behind it."""

    value: float
    low: float
    high: float
    n: int


def bootstrap(
    statistic: Callable[[np.ndarray], float], problems: int, resamples: int = 1000, seed: int = 0, level: float = 0.95
) -> Estimate:
    """Percentile interval of a statistic under resampling of problems (a problem with all its samples is one cluster).

    statistic : called with problem indices [problems] (with repeats); NaN results are left out of the interval.
    Paired differences: one statistic that subtracts two methods on the same indices.
    """
    if problems < 1:
        raise ValueError("the bootstrap got no problem; at least one is needed")
    rng = np.random.default_rng(seed)
    draws = [statistic(rng.integers(0, problems, problems)) for _ in range(resamples)]
    tail = (1 - level) / 2
    low, high = np.nanquantile(draws, [tail, 1 - tail])
    return Estimate(float(statistic(np.arange(problems))), float(low), float(high), problems)
