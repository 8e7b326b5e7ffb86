# Attacks on the marked programs of each method's strongest setting: what they do to correctness and to detection.
LLM_ATTACKS = [name for name in config["attacks"] if name.startswith("llm-")]


# A language model's attacks. One job for all models and datasets, so that the limits on requests and cost hold for the experiment; here,
# where the network and the key are. Replies are remembered beside the output.
rule replies:
    input:
        problems=expand(
            f"{RESULTS}/problems/{{dataset}}.jsonl.gz", dataset=config["datasets"]
        ),
        solutions=of_every_run("solutions", "jsonl.gz"),
    output:
        costs=table_files("attack_costs"),
        replies=of_every_run("attacks", "replies.jsonl.gz"),
    log:
        f"{LOGS}/replies.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        attacks=LLM_ATTACKS,
        cells={name: strongest_cells(name) for name in config["datasets"]},
        # What replies and their cost depend on; the rest of `llm` only says how to get them.
        llm={
            k: v
            for k, v in (config["llm"] or {}).items()
            if k
            in (
                "model",
                "temperature",
                "seed",
                "max_tokens",
                "max_tokens_field",
                "price_in",
                "price_out",
            )
        },
        memory=f"{RESULTS}/attacks/replies.known.jsonl",
        code=code("attacks/llm.py", "chat.py"),
    script:
        "../scripts/replies.py"


rule attacks:
    input:
        problems=f"{RESULTS}/problems/{{dataset}}.jsonl.gz",
        solutions=f"{RESULTS}/solutions/{{model}}/{{dataset}}.jsonl.gz",
        # What is known of programs before the attack, and not written to by another job now.
        verdicts=rules.verdicts.output,
        replies=(
            [f"{RESULTS}/attacks/{{model}}/{{dataset}}.replies.jsonl.gz"]
            if LLM_ATTACKS
            else []
        ),
    output:
        f"{RESULTS}/attacks/{{model}}/{{dataset}}.parquet",
    log:
        f"{LOGS}/attacks/{{model}}/{{dataset}}.log",
    benchmark:
        f"{TIMES}/attacks/{{model}}/{{dataset}}.tsv"
    conda:
        "../../envs/stone.yaml"
    threads: config["sandbox"]["workers"]
    resources:
        gpu=1,
    params:
        model=lambda wildcards: config["models"][wildcards.model],
        cells=lambda wildcards: strongest_cells(wildcards.dataset),
        attacks=config["attacks"],
        watermark=config["watermark"],
        resamples=config["bootstrap"]["resamples"],
        memory=rules.verdicts.params.memory,
        code=code("attacks", "sandbox", "scan.py", "methods", "rewrites"),
    script:
        "../scripts/attacks.py"


rule attack_results:
    input:
        of_every_run("attacks"),
    output:
        table_files("attacks"),
        figure_files("attacks"),
    log:
        f"{LOGS}/attack_results.log",
    localrule: True
    conda:
        "../../envs/stone.yaml"
    params:
        code=code("tables", "figures", "display.py"),
    script:
        "../scripts/attack_results.py"
