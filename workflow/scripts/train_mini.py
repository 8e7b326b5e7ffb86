"""Retrains the embedded models into a results folder."""

import json
from pathlib import Path

from stone.mini.train import train
from stone.records import write_text

folder = Path(snakemake.output[0])
losses = train(folder)
write_text(folder / "losses.json", json.dumps(losses))
