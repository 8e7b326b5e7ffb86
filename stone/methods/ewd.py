"""EWD (Lu et al. 2024): KGW's text; at detection a token weighs its spike entropy above the least one, w_t = S_t - min S."""

import numpy as np

from stone.methods.method import Method, Scored, every_token


def weights(text: Scored) -> np.ndarray:
    return text.readings - text.readings.min() if len(text.readings) else text.readings


METHOD = Method(name="ewd", selected=every_token, weights=weights, reads="spike")
