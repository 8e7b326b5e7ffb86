"""The table on CodeIP."""

import pandas as pd

from stone.display import DATASET_NAMES
from stone.evaluation import WEIGHTS
from stone.metrics import stem


def codeip(metrics: pd.DataFrame, messages: pd.DataFrame, printed: pd.DataFrame, printed_stem: pd.DataFrame) -> pd.DataFrame:
    """CodeIP: correctness (pass@1 here, as in the paper's table), detectability, imperceptibility, perplexities, STEM at the four weightings,
    and what was read of its messages (paper, appendix on CodeIP). The paper's rows (config/published) stand below ours.

    messages : `stone.message.read_messages`'s rows with model, dataset, delta, bits, distinct. Messages read and bit accuracy are shares of texts
    and of bits; chance is 2^-bits and 1/2.
    """
    keys, rows = ["model", "dataset"], []
    plain = metrics[(metrics.method == "none") & (metrics.metric == "perplexity")].set_index(keys).value
    for (model, dataset, delta), group in metrics[metrics.method == "codeip"].groupby([*keys, "delta"], sort=False):
        found = group.set_index("metric")
        parts = found.value[["pass@1", "auroc", "imperceptibility"]].tolist()
        read = messages[(messages.model == model) & (messages.dataset == dataset) & (messages.delta == delta)].astype(
            {"distinct": bool}
        )
        rows.append({
            "Model": model, "Dataset": DATASET_NAMES[dataset], "delta": delta, "Correctness": parts[0],
            "Detectability": parts[1], "95 %": f"[{found.low['auroc']:.3f}, {found.high['auroc']:.3f}]", "Imperceptibility": parts[2],
            "PPL unmarked": plain[model, dataset], "PPL marked": found.value["perplexity"],
            **{f"STEM, {name}": stem(parts[0], parts[1], parts[2], weights) for name, weights in WEIGHTS.items()},
            "Bits": str(read.bits.iloc[0]), "Messages read": read.right[~read.distinct].mean(),
            "Bit accuracy": read.bit_accuracy[~read.distinct].mean(), "Messages read, distinct pairs": read.right[read.distinct].mean(),
            "Bit accuracy, distinct pairs": read.bit_accuracy[read.distinct].mean(),
            "n": str(found.n.iloc[0]),
        })  # fmt: skip
    theirs = printed_stem[printed_stem.method == "codeip"].pivot(index="dataset", columns="weights", values="stem")
    for r in printed[printed.method == "codeip"].itertuples():
        if (metrics.dataset == r.dataset).any():
            rows.append({
                "Model": "paper", "Dataset": DATASET_NAMES[r.dataset], "delta": 5.0, "Correctness": r.correctness,
                "Detectability": r.detectability, "Imperceptibility": r.imperceptibility,
                "PPL unmarked": r.perplexity_unmarked, "PPL marked": r.perplexity,
                **{f"STEM, {name}": theirs[name][r.dataset] for name in WEIGHTS},
            })  # fmt: skip
    return pd.DataFrame(rows).fillna("–") if rows else pd.DataFrame(columns=["Model", "Dataset", "n"])
