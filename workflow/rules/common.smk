# Checks the config once and names what the rules share.
import os
import sys
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

sys.path.insert(0, workflow.basedir)

from stone.datasets import LANGUAGE
from stone.experiment import (
    POST_HOC,
    insertion_settings,
    marked_cells,
    needs_type_predictor,
    source_digest,
    text_cells,
)
from stone.settings import ConfigError, resolve

SCHEMA = yaml.safe_load(
    Path(workflow.basedir, "workflow/schemas/config.schema.yaml").read_text()
)
try:
    config = resolve(config, SCHEMA)
except ConfigError as error:
    raise WorkflowError(str(error)) from None

RESULTS = f"results/{config['experiment']}"
LOGS = f"{RESULTS}/logs"
TIMES = f"{RESULTS}/benchmarks"
SHARDS = config["generation"]["shards"]
PUBLISHED = os.path.relpath(Path(workflow.basedir, "config/published"))


wildcard_constraints:
    model="[^/]+",
    dataset="[^/]+",
    shard="[0-9]+",
    shards="[0-9]+",


def code(*modules):
    """Digest of the library modules behind a stage: an edit reruns the stage."""
    return source_digest(Path(workflow.basedir, "stone"), modules)


def in_report(path, category):
    """A file that `snakemake --report` shows, with its own caption."""
    caption = f"../report/{Path(path).stem}.rst"
    return report(path, category=category, caption=caption)


def table_files(*names):
    """A table's files, the csv ones first and in the report."""
    return [
        *(in_report(f"{RESULTS}/tables/{name}.csv", "Tables") for name in names),
        *expand(f"{RESULTS}/tables/{{name}}.{{kind}}", name=names, kind=["md", "tex"]),
    ]


def origin_of(model):
    """What all texts of a model depend on, besides their cell and problem."""
    return {
        "model": config["models"][model],
        "watermark": insertion_settings(config),
        "decoding": {k: v for k, v in config["decoding"].items() if k != "batch_size"},
        "seed": config["seed"],
        "type_predictor": config["type_predictor"],
        "code": code(
            "generation.py",
            "models.py",
            "sampling.py",
            "watermark.py",
            "methods",
            "partition.py",
            "masks.py",
            "hashing.py",
            "syntax.py",
            "entropy.py",
            "message.py",
            "type_predictor.py",
        ),
    }


def text_names(dataset):
    """Names of the cells whose completions lie in results/<experiment>/completions/<model>/<dataset>."""
    return [cell.name for cell in text_cells(config, dataset)]


def drawn_names(dataset):
    """Those of them that a model writes; post-hoc marks are put into the unmarked ones."""
    return [name for name in text_names(dataset) if name not in POST_HOC]


def figure_files(*names):
    """A figure's files, the PNGs first and in the report."""
    return [
        *(in_report(f"{RESULTS}/figures/{name}.png", "Figures") for name in names),
        *expand(f"{RESULTS}/figures/{{name}}.pdf", name=names),
    ]


def strongest_cells(dataset):
    """Each method's cell of the largest delta: controls need one setting a method."""
    cells = {}
    for cell in marked_cells(config, dataset):
        kept = cells.get(cell.method)
        if kept is None or (cell.delta, cell.gamma) > (kept.delta, kept.gamma):
            cells[cell.method] = cell
    return [cell.name for cell in cells.values()]


def type_predictor_of(dataset, cells):
    """The type predictor of a dataset's language, where one of the cells is written with it."""
    language = LANGUAGE[dataset]
    needed = needs_type_predictor(config, dataset, cells)
    return f"{RESULTS}/type_predictors/{language}.safetensors" if needed else []


def of_every_run(stage, kind="parquet"):
    """A stage's files of all models and datasets."""
    return expand(
        f"{RESULTS}/{stage}/{{model}}/{{dataset}}.{kind}",
        model=config["models"],
        dataset=config["datasets"],
    )
