"""One self-contained HTML page about an experiment: summary, figures, sortable tables, samples token by token, provenance."""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import numpy as np
import pandas as pd
from markupsafe import Markup

from stone.display import DATASET_NAMES, METHOD_NAMES
from stone.evaluation import rivals, wide
from stone.experiment import Cell
from stone.syntax import decode_each
from stone.tables import shown
from stone.tokenview import CSS, KINDS, spans, views
from stone.watermark import Watermark


@dataclass(frozen=True)
class Table:
    """A table as the page shows it: rounded, missing values as dashes."""

    name: str
    caption: str
    columns: list[str]
    numeric: list[bool]
    rows: list[list[str]]

    @classmethod
    def of(cls, frame: pd.DataFrame, name: str = "", caption: str = "") -> "Table":
        numeric = [pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind) for kind in frame.dtypes]
        rows = shown(frame).to_numpy().tolist()
        return cls(name, caption, list(map(str, frame.columns)), numeric, rows)


@dataclass(frozen=True)
class Figure:
    name: str
    caption: str
    data: str  # PNG, base64


@dataclass(frozen=True)
class Sample:
    """A marked program: what it is, its verdict, its scores, and its tokens as HTML."""

    title: str
    status: str
    scores: str
    spans: Markup


def page(
    experiment: str,
    metrics: pd.DataFrame,
    tables: Mapping[str, Path],
    figures: Mapping[str, Path],
    captions: Mapping[str, str],
    samples: Sequence[Sample],
    times: pd.DataFrame,
    manifest: Mapping[str, Any],
) -> str:
    """The whole page.

    tables, figures : csv and PNG files by name; captions : a sentence for each. times : columns stage, jobs, seconds.
    manifest : of `stone.manifest`. Nothing in the page is loaded from elsewhere.
    """
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    template = environment.from_string((files("stone") / "report.html.jinja").read_text(encoding="utf-8"))
    return template.render(
        title=f"Experiment {experiment}",
        token_css=Markup(CSS),
        kinds=KINDS,
        summary=summary(metrics),
        figures=[Figure(n, captions[n], base64.b64encode(path.read_bytes()).decode()) for n, path in figures.items()],
        tables=[Table.of(pd.read_csv(path), n, captions[n]) for n, path in tables.items()],
        samples=samples,
        times=Table.of(times),
        provenance=provenance(manifest),
        config=json.dumps(manifest["config"], indent=2),
    )


def summary(metrics: pd.DataFrame) -> list[str]:
    """What to take away, one line per model, dataset and strength."""
    frame = wide(metrics, ("pass@1", "auroc", "stem"))
    lines = []
    for (model, dataset, gamma, delta), group in rivals(frame):
        best = group.loc[group.stem.idxmax()]
        tied = group.method[group.stem >= best.stem - 1e-9]
        names = " and ".join(METHOD_NAMES[m] for m in tied)
        line = f"{DATASET_NAMES[dataset]}, {model}{'' if np.isnan(gamma) else f', γ = {gamma:g}, δ = {delta:g}'}: " + (
            f"{names} has the highest STEM ({best.stem:.3f})" if len(group) > 1 else f"{names} alone, STEM {best.stem:.3f}"
        )
        stone = group[group.method == "stone"]
        plain = metrics[
            (metrics.model == model) & (metrics.dataset == dataset) & (metrics.method == "none") & (metrics.metric == "pass@1")
        ].value
        if len(stone) and len(plain):
            s = stone.iloc[0]
            line += (
                f"; STONE has {s.stem:.3f}, AUROC {s.auroc:.3f}, and pass@1 {s['pass@1']:.3f} against {plain.iloc[0]:.3f} unmarked"
            )
        lines.append(line + ".")
    return lines


def provenance(manifest: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Name and value of what the numbers depend on."""
    config, code, hardware = manifest["config"], manifest["code"], manifest["hardware"]
    changed = code.get("changed_files")
    return [
        ("code", f"{code.get('revision') or 'unknown'}{' with local changes' if changed else ''}"),
        ("seed", str(config["seed"])),
        ("samples per problem", str(config["samples"])),
        ("watermark key", f"commitment {config['watermark']['key']}"),
        ("hardware", ", ".join(f"{k} {v}" for k, v in hardware.items())),
        *((name, str(v)) for name, v in manifest["versions"].items() if v),
    ]


def samples(
    texts: pd.DataFrame, verdicts: pd.DataFrame, cell: Cell, mark: Watermark, dataset: str, model: str, each: int = 1
) -> list[Sample]:
    """The first `each` passing and failing programs of a cell.

    texts : `stone.scan.scan_texts`'s rows of the dataset; verdicts : cell, task_id, sample, status.
    """
    rows = texts[texts.cell == cell.text.name].merge(
        verdicts[verdicts.cell == cell.text.name][["task_id", "sample", "status"]], on=["task_id", "sample"]
    )
    chosen = pd.concat([rows[rows.status == "passed"].head(each), rows[rows.status != "passed"].head(each)])
    return [
        _sample(text, cell, mark, f"{DATASET_NAMES[dataset]}, {model}, {METHOD_NAMES[cell.method]}") for text in chosen.itertuples()
    ]


def _sample(text, cell: Cell, mark: Watermark, where: str) -> Sample:
    ids = list(map(int, text.ids))
    found = mark.detect(ids, prompt_length=int(text.prompt_length))
    gamma, delta = cell.point
    return Sample(
        title=f"{where}, γ = {gamma:g}, δ = {delta:g}, {text.task_id}, sample {text.sample}",
        status=text.status,
        scores=f"z = {found.z:.2f}, p = {found.p_value:.2g}, {found.green} of {found.scored} scored tokens are green",
        spans=Markup(spans(views(mark, ids, decode_each(mark.tokenizer, ids), found))),
    )


def stage_times(folder: Path) -> pd.DataFrame:
    """Jobs, seconds and peak memory of each stage, from the files that Snakemake's `benchmark` directive writes."""
    rows = []
    for path in sorted(folder.rglob("*.tsv")):
        run = pd.read_csv(path, sep="\t", na_values=["-", "NA"])
        rows.append((path.relative_to(folder).parts[0].removesuffix(".tsv"), run.s.sum(), run.max_rss.max()))
    frame = pd.DataFrame(rows, columns=["stage", "seconds", "peak MB"])
    return frame.groupby("stage").agg(jobs=("seconds", "size"), seconds=("seconds", "sum"), peak=("peak MB", "max")).reset_index()
