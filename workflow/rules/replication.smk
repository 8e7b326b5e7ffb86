# Each method's strongest setting once more under other keys, against STONE: one job a model and dataset, which loads the model once.
rule replication:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
    output:
        f"{RESULTS}/replication/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/replication/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/replication/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: config["sandbox"]["workers"]
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: strongest_cells(wildcards.dataset),
        replication=config["replication"],
        watermark=config["watermark"],
        decoding={k: v for k, v in config["decoding"].items() if k != "batch_size"},
        samples=config["samples"],
        seed=config["seed"],
        scope=config["detection"]["scope"],
        resamples=config["bootstrap"]["resamples"],
        memory=f"{RESULTS}/replication/{{model}}/{{dataset}}.known.jsonl",
        code=code(
            "replication.py", "generation.py", "sampling.py", "watermark.py", "methods"
        ),
    script:
        "../scripts/replication.py"


rule replication_table:
    input:
        of_every_run("replication"),
    output:
        table_files("replication"),
    log:
        f"{LOGS}/replication_table.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("tables", "display.py"),
    script:
        "../scripts/replication_table.py"
