"""Writes the problems of one dataset."""

from stone.datasets import VERSIONS, load_problems
from stone.records import write_problems

name, data = snakemake.wildcards.dataset, snakemake.params.data
version = data["mbppplus_version"] if name == "mbppplus" else VERSIONS.get(name, (None,))[0]
source = None if name.startswith("mini-") else data["source"]
write_problems(snakemake.output[0], load_problems(name, source=source, version=version)[: data["limit"]])
