# One pass of the model gives all entropies; scoring then needs the tokenizer only.
rule entropies:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=completions_of,
    output:
        f"{RESULTS}/entropies/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/entropies/{{model}}/{{dataset}}.log",
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: [cell.name for cell in marked_cells(config, wildcards.dataset)],
        code=code("generation.py", "entropy.py", "models.py"),
    resources:
        gpu=1,
    conda:
        "../../envs/stone.yaml"
    script:
        "../scripts/entropies.py"


rule detections:
    input:
        rules.entropies.output,
    output:
        f"{RESULTS}/detections/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/detections/{{model}}/{{dataset}}.log",
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: [cell.name for cell in marked_cells(config, wildcards.dataset)],
        watermark=config["watermark"],
        scope=config["detection"]["scope"],
        code=code("watermark.py", "methods", "partition.py", "cache.py", "scoring.py", "syntax.py"),
    conda:
        "../../envs/stone.yaml"
    script:
        "../scripts/detections.py"
