# The paper's data and arithmetic, and what the released code does: none of it needs marked texts.
rule data_statistics:
    input:
        expand(f"{RESULTS}/problems/{{dataset}}.jsonl.gz", dataset=config["datasets"]),
    output:
        table_files("data_statistics"),
    log:
        f"{LOGS}/data_statistics.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        version=config["data"]["mbppplus_version"],
        published=PUBLISHED,
        code=code("tables", "display.py"),
    script:
        "../scripts/data_statistics.py"


rule published:
    input:
        expand(
            f"{PUBLISHED}/{{name}}.csv",
            name=["results", "stem", "stem_grid", "unmarked", "timing", "statements"],
        ),
    output:
        table_files("published"),
    log:
        f"{LOGS}/published.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("published.py", "metrics.py", "display.py"),
    script:
        "../scripts/published.py"


rule audit:
    input:
        of_every_run("entropies"),
    output:
        table_files("audit"),
    log:
        f"{LOGS}/audit.log",
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        points=config["points"],
        code=code("audit.py", "scan.py", "watermark.py", "methods", "scoring.py"),
    script:
        "../scripts/audit.py"


rule round_trip:
    input:
        of_every_run("entropies"),
    output:
        table_files("round_trip"),
    log:
        f"{LOGS}/round_trip.log",
    conda:
        "../../envs/stone.yaml"
    params:
        models=config["models"],
        watermark=config["watermark"],
        code=code("scan.py", "tables", "watermark.py", "methods", "scoring.py"),
    script:
        "../scripts/round_trip.py"
