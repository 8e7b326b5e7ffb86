"""The table of data statistics; it needs the tokenizers of the models, not their weights."""

from pathlib import Path

import pandas as pd

from stone.datasets import VERSIONS
from stone.models import load_tokenizer
from stone.records import read_problems
from stone.tables import data_statistics, write_table

problems = {Path(path).name.removesuffix(".jsonl.gz"): read_problems(path) for path in snakemake.input}
versions = {name: known[0] for name, known in VERSIONS.items()} | {"mbppplus": snakemake.params.version}
tokenizers = {name: load_tokenizer(m["path"], m["revision"]) for name, m in snakemake.params.models.items()}
printed = pd.read_csv(Path(snakemake.params.published) / "data_statistics.csv")
write_table(data_statistics(problems, tokenizers, versions, printed), Path(snakemake.output[0]).with_suffix(""))
