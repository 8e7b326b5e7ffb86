# One job per cell: decoding takes most of the time, so loading the model is paid once per cell and a new cell reruns nothing.
rule completions:
    input:
        f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
    output:
        f"{RESULTS}/completions/{{model}}/{{dataset}}/{{cell}}.jsonl.gz",
    log:
        f"{LOGS}/completions/{{model}}/{{dataset}}/{{cell}}.log",
    benchmark:
        f"{TIMES}/completions/{{model}}/{{dataset}}/{{cell}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: 1
    resources:
        gpu=1,
        mem_mb=lambda wildcards, attempt: 1500 * attempt,
        runtime=lambda wildcards, attempt: 120 * attempt,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        watermark=insertion_settings(config),
        decoding={k: v for k, v in config["decoding"].items() if k != "batch_size"},
        samples=config["samples"],
        seed=config["seed"],
        code=code(
            "generation.py",
            "models.py",
            "sampling.py",
            "watermark.py",
            "methods",
            "partition.py",
            "syntax.py",
            "entropy.py",
        ),
    script:
        "../scripts/completions.py"


# Post-hoc marks are put into the unmarked completions: no model runs.
rule posthoc:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=f"{RESULTS}/completions/{{model}}/{{dataset}}/none.jsonl.gz",
    output:
        f"{RESULTS}/completions/{{model}}/{{dataset}}/{{cell}}.jsonl.gz",
    log:
        f"{LOGS}/completions/{{model}}/{{dataset}}/{{cell}}.log",
    benchmark:
        f"{TIMES}/posthoc/{{model}}/{{dataset}}/{{cell}}.tsv"
    wildcard_constraints:
        cell="|".join(POST_HOC),
    conda:
        "../../envs/stone.yaml"
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        watermark=insertion_settings(config),
        code=code("generation.py", "watermark.py", "methods", "rewrites"),
    script:
        "../scripts/posthoc.py"


ruleorder: posthoc > completions


rule solutions:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=completions_of,
    output:
        f"{RESULTS}/solutions/{{model}}/{{dataset}}.jsonl.gz",
    log:
        f"{LOGS}/solutions/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/solutions/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("solutions.py"),
    script:
        "../scripts/solutions.py"
