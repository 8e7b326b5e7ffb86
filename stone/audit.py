"""What each deviation of the authors' released STONE code does to detection, on code that carries no watermark at all.

A sound detector gives human code z-scores of mean 0 and standard deviation 1, flags nearly none of it, and cannot tell it from
unmarked model code (AUROC 0.5 at delta 0, up to what differs between the two kinds of code).
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from stone.experiment import Cell
from stone.metrics import auroc
from stone.scan import detect_all
from stone.watermark import Watermark, WatermarkConfig

# Name of a deviation -> settings of the watermark, and the scope of detection, as config/released.yaml has them.
SWITCHES: dict[str, dict[str, Any]] = {
    "paper": {},
    "context: 0": {"context": 0},
    "vocab_size: 50272": {"vocab_size": 50272},
    "statistic: released": {"statistic": "released"},
    "scope: released": {"scope": "released"},
    "candidate: argmax": {"candidate": "argmax"},
}
SWITCHES["all together"] = {k: v for switch in SWITCHES.values() for k, v in switch.items()}
Z_THRESHOLD = 4.0  # of the release


def audit(texts: pd.DataFrame, tokenizer, settings: Mapping[str, Any], dataset: str, scope: str = "completion") -> pd.DataFrame:
    """One row per deviation: z of human code, its false-positive rate at z > 4, and the AUROC of unmarked model code against it.

    Parameters
    ----------
    texts : columns cell ("human" and, for the AUROC, "none"), task_id, sample, vocab_size, prompt_length, ids (`stone.scan.scan_texts`).
    settings : WatermarkConfig's arguments of the undisturbed detector. scope : its scope, see `stone.scan.detect_all`.

    The gate's candidate acts on insertion only; its row shows that it changes nothing here.
    """
    rows = []
    for name, switch in SWITCHES.items():
        changed = {**settings, "method": "stone", **{k: v for k, v in switch.items() if k != "scope"}}
        config = WatermarkConfig(**changed)
        mark = Watermark(config, tokenizer, vocab_size=config.vocab_size or int(texts.vocab_size.iloc[0]))
        found = detect_all(mark, Cell("stone", config.gamma, config.delta), texts, switch.get("scope", scope), dataset)
        human, plain = found[found.source == "human"].z, found[found.source == "unmarked"].z
        rows.append(
            {
                "dataset": dataset,
                "Deviation": name,
                "Texts": len(human),
                "Mean z": human.mean(),
                "SD of z": human.std(),
                "FPR at z > 4": (human > Z_THRESHOLD).mean(),
                "AUROC at delta 0": auroc(plain, human) if len(plain) else float("nan"),
            }
        )
    return pd.DataFrame(rows)
