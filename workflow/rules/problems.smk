# Benchmarks as the experiment uses them: checked, cut to data.limit.
rule problems:
    output:
        f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
    log:
        f"{LOGS}/problems/{{dataset}}.log",
    benchmark:
        f"{TIMES}/problems/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        data=config["data"],
        code=code("datasets.py"),
    script:
        "../scripts/problems.py"
