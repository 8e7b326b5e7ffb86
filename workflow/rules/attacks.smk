# Attacks on the marked programs of each method's strongest setting: what they do to correctness and to detection.
rule attacks:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        solutions=f"{RESULTS}/solutions/{{model}}/{{dataset}}.jsonl.gz",
    output:
        f"{RESULTS}/attacks/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/attacks/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/attacks/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: config["sandbox"]["workers"]
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: strongest_cells(wildcards.dataset),
        attacks=config["attacks"],
        watermark=config["watermark"],
        resamples=config["bootstrap"]["resamples"],
        memory=f"{RESULTS}/attacks/{{model}}/{{dataset}}.known.jsonl",
        code=code("attacks", "sandbox", "scan.py", "methods"),
    script:
        "../scripts/attacks.py"


rule attack_results:
    input:
        of_every_run("attacks"),
    output:
        table_files("attacks"),
        figure_files("attacks"),
    log:
        f"{LOGS}/attack_results.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("tables", "figures", "display.py"),
    script:
        "../scripts/attack_results.py"
