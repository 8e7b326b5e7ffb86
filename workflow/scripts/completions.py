"""Puts the shards of a model on a dataset together: one file per cell."""

from stone.records import read_jsonl, read_problems, write_cells
from stone.shards import merge

params = snakemake.params
shards = (read_jsonl(path) for path in snakemake.input.shards)
problems = read_problems(snakemake.input.problems)
write_cells(snakemake.output[0], merge(shards, params.cells, problems, params.samples))
