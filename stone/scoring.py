"""Detection statistics: one weighted z-score for all green-list methods (paper eq. 5 with weights) and its p-values."""

import math

import numpy as np
from scipy.special import bdtrc, ndtr
from scipy.stats import binom


def z_score(green, weights, gamma: float) -> float:
    """z = (sum w g - gamma sum w) / sqrt(gamma (1 - gamma) sum w^2).

    green : 0/1 (or bool) [n]; weights : float [n]. With weights of 0 and 1 this is the paper's z over the tokens of weight 1.
    Returns 0.0 when all weights are 0 (nothing to score).
    """
    green, weights = np.asarray(green, dtype=float), np.asarray(weights, dtype=float)
    spread = math.sqrt(gamma * (1 - gamma) * float(weights @ weights))
    return float((weights @ green - gamma * weights.sum()) / spread) if spread > 0 else 0.0


def released_z_score(green: int, total: int, gamma: float) -> float:
    """z of the authors' released STONE code: `green` counts green non-syntax tokens, but `total` is the number of *syntax* tokens less
    the context, so z is no standard score of anything; here only to explain released numbers. 0.0 where total is not positive."""
    return (green - gamma * total) / math.sqrt(total * gamma * (1 - gamma)) if total > 0 else 0.0


def normal_p_value(z: float) -> float:
    """Upper tail of the standard normal law."""
    return float(ndtr(-z))


def binomial_p_value(green: int, scored: int, gamma: float) -> float:
    """Exact one-sided P(at least `green` of `scored` tokens are green) when each is green with probability gamma."""
    return float(bdtrc(green - 1, scored, gamma)) if green > 0 else 1.0


def weighted_p_value(green, weights, gamma: float, grid: int = 4096) -> float:
    """One-sided P(sum w G >= observed) for independent G ~ Bernoulli(gamma).

    The law is convolved token by token on a grid of `grid` cells of the total weight; each weight is rounded to its nearest cell,
    so the result is exact for weights that are multiples of (sum w) / grid and off by about sqrt(n) cells otherwise.
    """
    green, weights = np.asarray(green, dtype=bool), np.asarray(weights, dtype=float)
    if not weights.sum() > 0:
        return 1.0
    cells = np.rint(weights * (grid / weights.sum())).astype(int)
    density = np.zeros(int(cells.sum()) + 1)
    density[0], reach = 1.0, 0
    for cell in cells[cells > 0]:
        shifted = gamma * density[: reach + 1]
        density[: reach + 1] *= 1 - gamma
        density[cell : reach + cell + 1] += shifted
        reach += int(cell)
    return float(min(1.0, density[int(cells[green].sum()) :].sum()))


def p_value(green, weights, gamma: float) -> float:
    """One-sided p-value of a weighted green count: exact binomial for weights of 0 and 1, the weighted sum's law otherwise."""
    green, weights = np.asarray(green, dtype=bool), np.asarray(weights, dtype=float)
    if np.isin(weights, (0.0, 1.0)).all():
        return binomial_p_value(int(green[weights == 1].sum()), int(weights.sum()), gamma)
    return weighted_p_value(green, weights, gamma)


def least_green(scored, gamma: float, alpha: float) -> np.ndarray:
    """Fewest green tokens with which `scored` tokens (weights 0 and 1), int [n], have a p-value of at most alpha; more than `scored` where
    none do. Exact binomial."""
    return binom.isf(alpha, scored, gamma) + 1


def detection_power(scored, gamma: float, green_share: float, alpha: float) -> np.ndarray:
    """Chance [n] that texts of `scored` tokens (weights 0 and 1), int [n], have a p-value of at most alpha if their tokens are green with
    probability `green_share`. Exact binomial."""
    return binom.sf(least_green(scored, gamma, alpha) - 1, scored, green_share)


def tokens_needed(gamma: float, green_share: float, alpha: float, power: float = 0.5) -> int:
    """Scored tokens (weights 0 and 1) that a text needs for p < alpha with probability `power`, if its tokens are green with probability
    `green_share`. Exact binomial; the smallest such number.

    Raises ValueError when green_share does not exceed gamma, or an argument is no probability.
    """
    if not (0 < gamma < green_share <= 1 and 0 < alpha < 1 and 0 < power < 1):
        raise ValueError(
            f"gamma {gamma}, green_share {green_share}, alpha {alpha}, power {power}: all are probabilities, and green_share exceeds gamma"
        )
    n = np.arange(1, 4096)
    while True:
        reached = detection_power(n, gamma, green_share, alpha) >= power
        if reached.any():
            return int(n[reached.argmax()])
        n = n + len(n)


def verdict(p_value: float, scored: int, gamma: float, alpha: float) -> str:
    """What to say of a text: "marked" if p < alpha; else "too short" if even a text whose green share lies halfway between gamma and 1
    would more likely than not be missed at this length; else "not marked"."""
    if p_value < alpha:
        return "marked"
    return "too short" if scored < tokens_needed(gamma, (1 + gamma) / 2, alpha) else "not marked"
