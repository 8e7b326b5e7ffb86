# One pass of the model gives all entropies; scoring then needs the tokenizer only.
rule entropies:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        other=f"{RESULTS}/other/{{dataset}}.jsonl.gz",
        completions=rules.completions.output,
    output:
        f"{RESULTS}/entropies/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/entropies/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/entropies/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        texts=lambda wildcards: text_names(wildcards.dataset),
        cells=lambda wildcards: [
            cell.name for cell in marked_cells(config, wildcards.dataset)
        ],
        code=code("generation.py", "entropy.py", "models.py"),
    script:
        "../scripts/entropies.py"


rule detections:
    input:
        rules.entropies.output,
    output:
        f"{RESULTS}/detections/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/detections/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/detections/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: [
            cell.name for cell in marked_cells(config, wildcards.dataset)
        ],
        watermark=config["watermark"],
        scope=config["detection"]["scope"],
        code=code(
            "watermark.py",
            "methods",
            "rewrites",
            "partition.py",
            "cache.py",
            "hashing.py",
            "scoring.py",
            "syntax.py",
        ),
    script:
        "../scripts/detections.py"
