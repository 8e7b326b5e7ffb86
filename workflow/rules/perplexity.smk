# The judge reads every distinct text once.
rule perplexities:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        completions=rules.completions.output,
    output:
        f"{RESULTS}/perplexities/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/perplexities/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/perplexities/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    resources:
        gpu=1,
    params:
        texts=lambda wildcards: text_names(wildcards.dataset),
        judge=config["judge"],
        max_tokens=config["perplexity"]["max_tokens"],
        code=code("perplexity.py", "models.py"),
    script:
        "../scripts/perplexities.py"
