# Untrusted code runs here and nowhere else. Programs that were judged before are remembered beside the output.
rule verdicts:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        solutions=f"{RESULTS}/solutions/{{model}}/{{dataset}}.jsonl.gz",
    output:
        f"{RESULTS}/verdicts/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/verdicts/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/verdicts/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: config["sandbox"]["workers"]
    params:
        memory=f"{RESULTS}/verdicts/{{model}}/{{dataset}}.known.jsonl",
        code=code("sandbox"),
    script:
        "../scripts/verdicts.py"
