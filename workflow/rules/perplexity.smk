# The judge reads every distinct text once.
rule perplexities:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=completions_of,
    output:
        f"{RESULTS}/perplexities/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/perplexities/{{model}}/{{dataset}}.log",
    params:
        judge=config["judge"],
        code=code("perplexity.py", "models.py"),
    resources:
        gpu=1,
    conda:
        "../../envs/stone.yaml"
    script:
        "../scripts/perplexities.py"
