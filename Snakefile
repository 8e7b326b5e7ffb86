# The experiment, stage by stage; each stage is one file in workflow/rules.
#   results/<experiment>/problems -> completions -> solutions -> verdicts
#                                                -> entropies -> detections
#                                                -> perplexities  -> metrics.parquet -> tables, figures, report.html
from pathlib import Path

from snakemake.utils import min_version

min_version("9.20")

# A config named with --configfile replaces the embedded experiment; it is not merged over it.
if not workflow.overwrite_configfiles:

    configfile: Path(workflow.basedir) / "config/config.yaml"


include: "workflow/rules/common.smk"
include: "workflow/rules/problems.smk"
include: "workflow/rules/generation.smk"
include: "workflow/rules/execution.smk"
include: "workflow/rules/detection.smk"
include: "workflow/rules/perplexity.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/codeip.smk"
include: "workflow/rules/presentation.smk"
include: "workflow/rules/fidelity.smk"
include: "workflow/rules/controls.smk"
include: "workflow/rules/replication.smk"
include: "workflow/rules/timing.smk"
include: "workflow/rules/attacks.smk"
include: "workflow/rules/report.smk"
include: "workflow/rules/training.smk"


rule all:
    default_target: True
    input:
        rules.tables.input,
        rules.figures.input,
        rules.manifest.output,
        rules.report.output,
