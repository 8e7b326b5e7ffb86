# Insertion and detection time. The job takes all cores, so that nothing runs beside it.
rule timing:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        type_predictor=lambda wildcards: type_predictor_of(
            wildcards, strongest_cells(wildcards.dataset)
        ),
        # After everything that would disturb it.
        metrics=rules.metrics.output,
    output:
        f"{RESULTS}/timing/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/timing/{{model}}/{{dataset}}.log",
    conda:
        "../../envs/stone.yaml"
    threads: 64  # as many as there are
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: strongest_cells(wildcards.dataset),
        timing=config["timing"],
        code=code("timing.py"),
    script:
        "../scripts/timing.py"


rule timing_table:
    input:
        of_every_run("timing"),
    output:
        table_files("timing"),
    log:
        f"{LOGS}/timing_table.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        published=PUBLISHED,
        code=code("tables", "display.py"),
    script:
        "../scripts/timing_table.py"
