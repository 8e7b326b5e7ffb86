"""Trains CodeIP's type predictor of one language."""

import torch

from stone.corpus import programs
from stone.type_predictor import Recipe, save_predictor, train_predictor

torch.set_num_threads(snakemake.threads)
params, language = snakemake.params, snakemake.wildcards.language
recipe = Recipe(steps=params.steps)
predictor, accuracy = train_predictor(programs(params.corpus, language, params.programs), language, recipe)
print(f"{language}: {100 * accuracy:.1f} % of held-out types predicted")
save_predictor(snakemake.output[0], predictor, recipe, accuracy)
