# Tables and figures of the paper.
TABLES = [
    "main",
    "unmarked",
    "stem_weights",
    "stem_grid",
    "sweet_selection",
    "syntax_elements",
    "syntax_examples",
    "ablation",
]
FIGURES = [
    "entropy_by_type",
    "tradeoff_bubble",
    "roc",
    "z_histogram",
    "stem_ternary",
    "motivation",
]


rule tables:
    input:
        entropies=of_every_run("entropies"),
        metrics=rules.metrics.output.metrics,
        grid=rules.metrics.output.grid,
        pairs=rules.metrics.output.pairs,
    output:
        table_files(*TABLES),
    log:
        f"{LOGS}/tables.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        code=code("tables.py", "display.py"),
    script:
        "../scripts/tables.py"


rule figures:
    input:
        entropies=of_every_run("entropies"),
        detections=of_every_run("detections"),
        verdicts=of_every_run("verdicts"),
        metrics=rules.metrics.output.metrics,
        grid=rules.metrics.output.grid,
    output:
        [in_report(f"{RESULTS}/figures/{name}.png", "Figures") for name in FIGURES],
        expand(f"{RESULTS}/figures/{{name}}.pdf", name=FIGURES),
    log:
        f"{LOGS}/figures.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        code=code("figures.py", "display.py", "motivation.py", "tokenview.py"),
    script:
        "../scripts/figures.py"
