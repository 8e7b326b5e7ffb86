"""The motivating example, from this experiment's verdicts."""

from pathlib import Path

import pandas as pd

from stone import figures
from stone.display import DATASET_NAMES, METHOD_NAMES
from stone.experiment import Cell, marked_cells, watermark_settings
from stone.models import load_tokenizer
from stone.motivation import broken_pair, tokens_of
from stone.watermark import Watermark, WatermarkConfig


def example() -> list:
    """Title and tokens of a baseline's broken program and of STONE's that runs, of the first dataset that has such a pair."""
    for verdicts, entropies in zip(snakemake.input.verdicts, snakemake.input.entropies, strict=True):
        model, dataset = Path(entropies).parent.name, Path(entropies).stem
        cells = marked_cells(snakemake.config, dataset)
        for stone in (c for c in reversed(cells) if c.method == "stone"):
            rivals = [c for c in cells if c.method in ("kgw", "sweet") and c.point == stone.point]
            pair = broken_pair(pd.read_parquet(verdicts), rivals, stone)
            if pair is None:
                continue
            rival, task_id, sample = pair
            texts = pd.read_parquet(entropies, columns=["cell", "task_id", "sample", "prompt_length", "ids", "vocab_size"])
            settings = snakemake.params.models[model]
            tokenizer, panels = load_tokenizer(settings["path"], settings["revision"]), []
            for cell, outcome in ((rival, "fails its tests"), (stone, "passes")):
                # SWEET's green tokens are shown like KGW's: which of them count takes the model's entropies.
                shown = Cell("kgw", *cell.point) if cell.method == "sweet" else cell
                config = WatermarkConfig(**watermark_settings(snakemake.config, dataset, shown))
                mark = Watermark(config, tokenizer, vocab_size=config.vocab_size or int(texts.vocab_size[0]))
                title = f"{DATASET_NAMES[dataset]} {task_id}, {METHOD_NAMES[cell.method]}, δ = {cell.delta:g}: {outcome}"
                panels.append((title, tokens_of(texts, cell, task_id, sample, mark)))
            return panels
    return []


figures.write_figure(figures.motivation(example()), Path(snakemake.output[0]).with_suffix(""))
