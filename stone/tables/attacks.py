"""The table of the attacks."""

import pandas as pd

from stone.tables.estimates import SETTING, estimates, named


def attacks(found: pd.DataFrame) -> pd.DataFrame:
    """pass@1, AUROC and detection rates at 1 % and 5 % false positives before and after each attack, with 95 % intervals."""
    titles = {"pass@1": "pass@1", "auroc": "AUROC", "tpr@1": "TPR at 1 % FPR", "tpr@5": "TPR at 5 % FPR"}
    frame = named(estimates(found, titles, [*SETTING, "method", "attack"]))
    return frame.assign(Attack=frame.Attack.replace({"none": "–"}))
