# The page that tells the whole experiment.
CAPTIONS = Path(workflow.basedir, "workflow/report")


rule report:
    input:
        tables=[
            path
            for path in [
                *rules.tables.output,
                *rules.data_statistics.output,
                *rules.audit.output,
                *rules.round_trip.output,
                *rules.control_tables.output,
                *rules.timing_table.output,
                *rules.codeip_table.output,
                *(
                    rules.replication_table.output
                    if config["replication"]["keys"]
                    else []
                ),
                *(rules.attack_results.output if config["attacks"] else []),
                *(rules.replies.output.costs if LLM_ATTACKS else []),
                *rules.published.output,
            ]
            if path.endswith(".csv")
        ],
        figures=[
            path
            for path in [
                *rules.figures.output,
                *(rules.attack_results.output if config["attacks"] else []),
            ]
            if path.endswith(".png")
        ],
        metrics=rules.metrics.output.metrics,
        manifest=rules.manifest.output[0],
        verdicts=of_every_run("verdicts"),
        entropies=of_every_run("entropies"),
    output:
        f"{RESULTS}/report.html",
    log:
        f"{LOGS}/report.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        captions=os.path.relpath(CAPTIONS),
        times=TIMES,
        code=code("report.py", "report.html.jinja", "tokenview.py", "display.py"),
    script:
        "../scripts/report.py"
