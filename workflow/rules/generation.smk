# One job per shard of a model's texts on a dataset: it loads the model once and draws its share of every cell. Texts that were drawn before are
# remembered beside the output, so that a stopped job goes on where it was and a new cell draws nothing else anew.
rule generation:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        type_predictor=lambda wildcards: type_predictor_of(
            wildcards.dataset, drawn_names(wildcards.dataset)
        ),
    output:
        temp(
            f"{RESULTS}/generation/{{model}}/{{dataset}}/{{shard}}-of-{{shards}}.jsonl.gz"
        ),
    log:
        f"{LOGS}/generation/{{model}}/{{dataset}}/{{shard}}-of-{{shards}}.log",
    benchmark:
        f"{TIMES}/generation/{{model}}/{{dataset}}/{{shard}}-of-{{shards}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: 1
    resources:
        gpu=1,
        mem_mb=lambda wildcards, attempt: 1500 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        memory=f"{RESULTS}/generation/{{model}}/{{dataset}}/{{shard}}-of-{{shards}}.known.jsonl",
        origin=lambda wildcards: origin_of(wildcards.model),
        cells=lambda wildcards: drawn_names(wildcards.dataset),
        samples=config["samples"],
    script:
        "../scripts/generation.py"


# Post-hoc marks are put into the unmarked texts here: no model runs. A folder, not a list of files: planning then costs the same for ten cells and for ten thousand.
rule completions:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        shards=[
            f"{RESULTS}/generation/{{model}}/{{dataset}}/{shard}-of-{SHARDS}.jsonl.gz"
            for shard in range(1, SHARDS + 1)
        ],
    output:
        directory(f"{RESULTS}/completions/{{model}}/{{dataset}}"),
    log:
        f"{LOGS}/completions/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/completions/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        # The shards are gone when they are merged, so a changed seed must show here too.
        origin=lambda wildcards: origin_of(wildcards.model),
        cells=lambda wildcards: text_names(wildcards.dataset),
        drawn=lambda wildcards: drawn_names(wildcards.dataset),
        samples=config["samples"],
        code=code("shards.py", "methods", "rewrites"),
    script:
        "../scripts/completions.py"


# A null control: one unmarked text for each problem, by the judge.
rule other:
    input:
        f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
    output:
        f"{RESULTS}/other/{{dataset}}.jsonl.gz",
    log:
        f"{LOGS}/other/{{dataset}}.log",
    benchmark:
        f"{TIMES}/other/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    resources:
        gpu=1,
    params:
        judge=config["judge"],
        decoding={k: v for k, v in config["decoding"].items() if k != "batch_size"},
        seed=config["seed"],
        code=code("generation.py", "models.py", "sampling.py"),
    script:
        "../scripts/other.py"


rule solutions:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=rules.completions.output,
    output:
        f"{RESULTS}/solutions/{{model}}/{{dataset}}.jsonl.gz",
    log:
        f"{LOGS}/solutions/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/solutions/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        texts=lambda wildcards: text_names(wildcards.dataset),
        code=code("solutions.py"),
    script:
        "../scripts/solutions.py"
