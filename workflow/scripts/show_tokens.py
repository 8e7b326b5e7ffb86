"""Tables and the figure of tokens, their syntax classes and entropies."""

from pathlib import Path

from stone import figures, tables
from stone.scan import read_texts

folder, watermark = Path(snakemake.output[0]).parent, snakemake.params.watermark
tokens = read_texts(snakemake.input, snakemake.params.models, watermark["match"])
paper = tables.read_paper(Path(snakemake.params.published))
tables.write_table(tables.sweet_selection(tokens, paper["sweet_selection"]), folder / "sweet_selection")
examples = tables.syntax_examples(tokens, watermark["entropy_threshold"], paper["syntax_examples"])
tables.write_table(examples, folder / "syntax_examples")
tables.write_table(tables.syntax_elements(), folder / "syntax_elements")
figures.write_figure(figures.entropy_by_type(tokens), folder.parent / "figures/entropy_by_type")
