"""Puts the shards of a model on a dataset together: one file per cell."""

from stone.records import read_jsonl, read_problems, write_jsonl
from stone.shards import merge

params = snakemake.params
shards = (read_jsonl(path) for path in snakemake.input.shards)
merged = merge(shards, params.cells, read_problems(snakemake.input.problems), params.samples)
for path, cell in zip(snakemake.output, params.cells, strict=True):
    write_jsonl(path, merged[cell])
