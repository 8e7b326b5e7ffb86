# The checks that make a result believable: null controls over many keys, and which tokens the mark changed.
rule controls:
    input:
        f"{RESULTS}/entropies/{{model}}/{{dataset}}.parquet",
    output:
        f"{RESULTS}/controls/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/controls/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/controls/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: strongest_cells(wildcards.dataset),
        watermark=config["watermark"],
        scope=config["detection"]["scope"],
        n_keys=config["controls"]["keys"],
        code=code("controls.py", "scan.py", "watermark.py", "methods", "rewrites"),
    script:
        "../scripts/controls.py"


rule flips:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        entropies=f"{RESULTS}/entropies/{{model}}/{{dataset}}.parquet",
    output:
        f"{RESULTS}/flips/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/flips/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/flips/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        # A rewritten text has lost its positions, by which draws are compared.
        cells=lambda wildcards: [
            name for name in strongest_cells(wildcards.dataset) if name not in POST_HOC
        ],
        decoding=config["decoding"],
        seed=config["seed"],
        match=config["watermark"]["match"],
        code=code("flips.py", "sampling.py", "models.py"),
    script:
        "../scripts/flips.py"


rule control_tables:
    input:
        controls=of_every_run("controls"),
        flips=of_every_run("flips"),
        verdicts=of_every_run("verdicts"),
    output:
        table_files("controls", "flips"),
    log:
        f"{LOGS}/control_tables.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("flips.py", "tables", "display.py"),
    script:
        "../scripts/control_tables.py"
