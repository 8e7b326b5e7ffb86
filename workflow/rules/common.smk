# Checks the config once and names what the rules share.
import os
import sys
from pathlib import Path

import yaml
from snakemake.exceptions import WorkflowError

sys.path.insert(0, workflow.basedir)

from stone.experiment import insertion_settings, marked_cells, source_digest, text_cells
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
PUBLISHED = os.path.relpath(Path(workflow.basedir, "config/published"))


wildcard_constraints:
    model="[^/]+",
    dataset="[^/]+",
    cell="[^/]+",


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


def figure_files(*names):
    """A figure's files, the PNGs first and in the report."""
    return [
        *(in_report(f"{RESULTS}/figures/{name}.png", "Figures") for name in names),
        *expand(f"{RESULTS}/figures/{{name}}.pdf", name=names),
    ]


def completions_of(wildcards):
    """Files of all texts of one model on one dataset."""
    folder = f"{RESULTS}/completions/{wildcards.model}/{wildcards.dataset}"
    return [
        f"{folder}/{cell.name}.jsonl.gz"
        for cell in text_cells(config, wildcards.dataset)
    ]


def strongest_cells(dataset):
    """Each method's cell of the largest delta: controls need one setting a method."""
    cells = {}
    for cell in marked_cells(config, dataset):
        kept = cells.get(cell.method)
        if kept is None or (cell.delta, cell.gamma) > (kept.delta, kept.gamma):
            cells[cell.method] = cell
    return [cell.name for cell in cells.values()]


def of_every_run(stage):
    """A stage's files of all models and datasets."""
    return expand(
        f"{RESULTS}/{stage}/{{model}}/{{dataset}}.parquet",
        model=config["models"],
        dataset=config["datasets"],
    )
