# Tables and figures of the paper, one rule for those that are made of the same files.
rule show_metrics:
    input:
        metrics=rules.metrics.output.metrics,
        grid=rules.metrics.output.grid,
        pairs=rules.metrics.output.pairs,
    output:
        table_files(
            "main", "llama", "unmarked", "stem_weights", "stem_grid", "ablation"
        ),
        figure_files("tradeoff_bubble", "stem_ternary"),
    log:
        f"{LOGS}/show_metrics.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        published=PUBLISHED,
        code=code("tables", "figures", "display.py"),
    script:
        "../scripts/show_metrics.py"


rule show_tokens:
    input:
        of_every_run("entropies"),
    output:
        table_files("sweet_selection", "syntax_examples", "syntax_elements"),
        figure_files("entropy_by_type"),
    log:
        f"{LOGS}/show_tokens.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        published=PUBLISHED,
        code=code("tables", "figures/code.py", "figures/style.py", "display.py"),
    script:
        "../scripts/show_tokens.py"


rule show_scores:
    input:
        of_every_run("detections"),
    output:
        table_files("power"),
        figure_files("roc", "z_histogram", "z_length", "power"),
    log:
        f"{LOGS}/show_scores.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        resamples=config["bootstrap"]["resamples"],
        code=code("tables", "figures/detection.py", "figures/style.py", "display.py"),
    script:
        "../scripts/show_scores.py"


rule show_example:
    input:
        entropies=of_every_run("entropies"),
        verdicts=of_every_run("verdicts"),
    output:
        figure_files("motivation"),
    log:
        f"{LOGS}/show_example.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        code=code(
            "figures/motivation.py",
            "figures/style.py",
            "display.py",
            "motivation.py",
            "tokenview.py",
        ),
    script:
        "../scripts/show_example.py"
