# Insertion and detection time, all datasets in one job: the model is loaded once. The job takes all cores, so that nothing runs beside it.
rule timing:
    input:
        problems=expand(
            f"{RESULTS}/problems/{{dataset}}.jsonl.gz", dataset=config["datasets"]
        ),
        type_predictors=sorted(
            {
                path
                for name in config["datasets"]
                if (path := type_predictor_of(name, strongest_cells(name)))
            }
        ),
        # After everything that would disturb it.
        metrics=rules.metrics.output,
    output:
        expand(
            f"{RESULTS}/timing/{{{{model}}}}/{{dataset}}.parquet",
            dataset=config["datasets"],
        ),
    log:
        f"{LOGS}/timing/{{model}}.log",
    conda:
        "../../envs/stone.yaml"
    threads: 64  # as many as there are
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells={name: strongest_cells(name) for name in config["datasets"]},
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
