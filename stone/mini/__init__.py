"""The embedded experiment: problems, models, and the recipe that trains them."""
