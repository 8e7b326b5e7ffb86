# Retrains the embedded models from the project's own synthetic corpus.
rule train_mini:
    output:
        directory("results/train_mini"),
    log:
        "results/logs/train_mini.log",
    conda:
        "../../envs/stone.yaml"
    threads: 64  # as many as there are
    params:
        code=code("mini/train.py", "mini/synthesis"),
    script:
        "../scripts/train_mini.py"
