# CodeIP's own parts: the type predictor that it writes with, and the messages that are read from its texts.
rule type_predictor:
    output:
        f"{RESULTS}/type_predictors/{{language}}.safetensors",
    log:
        f"{LOGS}/type_predictors/{{language}}.log",
    benchmark:
        f"{TIMES}/type_predictors/{{language}}.tsv"
    conda:
        "../../envs/stone.yaml"
    params:
        corpus=lambda wildcards: config["type_predictor"]["corpora"][wildcards.language],
        programs=config["type_predictor"]["programs"],
        steps=config["type_predictor"]["steps"],
        code=code("type_predictor.py", "corpus.py"),
    script:
        "../scripts/type_predictor.py"


rule messages:
    input:
        rules.entropies.output,
    output:
        f"{RESULTS}/messages/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/messages/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/messages/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: [
            cell.name
            for cell in marked_cells(config, wildcards.dataset)
            if cell.method == "codeip"
        ],
        watermark=config["watermark"],
        code=code("message.py"),
    script:
        "../scripts/messages.py"


rule codeip_table:
    input:
        metrics=rules.metrics.output.metrics,
        messages=of_every_run("messages"),
    output:
        table_files("codeip"),
    log:
        f"{LOGS}/codeip_table.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        published=PUBLISHED,
        code=code("tables", "display.py"),
    script:
        "../scripts/codeip_table.py"
