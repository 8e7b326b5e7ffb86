# Retrains the embedded models from the project's own synthetic corpus.
rule train_mini:
    output:
        directory("results/train_mini"),
    log:
        "results/logs/train_mini.log",
    params:
        code=code("mini/train.py", "mini/synthesis"),
    threads: workflow.cores
    conda:
        "../../envs/stone.yaml"
    script:
        "../scripts/train_mini.py"
