# Metrics with intervals, the STEM grid, and the record of how the numbers came about.
rule metrics:
    input:
        verdicts=of_every_run("verdicts"),
        detections=of_every_run("detections"),
        perplexities=of_every_run("perplexities"),
    output:
        metrics=f"{RESULTS}/metrics.parquet",
        grid=f"{RESULTS}/stem_grid.parquet",
        pairs=f"{RESULTS}/paired.parquet",
    log:
        f"{LOGS}/metrics.log",
    benchmark:
        f"{TIMES}/metrics.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        resamples=config["bootstrap"]["resamples"],
        code=code("evaluation.py", "metrics.py"),
    script:
        "../scripts/metrics.py"


rule manifest:
    input:
        rules.metrics.output,
    output:
        f"{RESULTS}/manifest.json",
    log:
        f"{LOGS}/manifest.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        config=config,
    script:
        "../scripts/manifest.py"
