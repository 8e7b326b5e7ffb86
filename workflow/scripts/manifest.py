"""Records how the numbers came about."""

import json

from stone.manifest import manifest
from stone.records import write_text

write_text(snakemake.output[0], json.dumps(manifest(snakemake.params.config), indent=2) + "\n")
