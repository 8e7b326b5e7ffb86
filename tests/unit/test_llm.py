"""A language model's attacks: what is asked, what is kept, what a fault says; against a scripted server and a real one."""

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from pathlib import Path

import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from stone import load_problems
from stone.attacks.evaluate import attacked_solutions, programs
from stone.attacks.llm import PROMPTS, code_of, cost_table, holds, prompt, reply_records
from stone.chat import ChatError, ChatSettings, Reply, ask_all, cost, request_body, request_key
from stone.execution import judge_remembering
from stone.settings import ConfigError, resolve

ROOT = Path(__file__).resolve().parents[2]
KEY = "sk-not-to-be-written-anywhere"
PRICES = {"price_in": 1.0, "price_out": 2.0}


def completion(text: str = "```python\nx = 1\n```", usage: tuple[int, int] | None = (10, 5)) -> dict:
    counts = (
        {} if usage is None else {"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}}
    )
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "served-1", "choices": [choice], **counts}


class Scripted(ThreadingHTTPServer):
    """Answers with what `script` holds, then with `usual`: (status, headers, body, seconds before). Keeps what it was asked."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Answer)
        self.script, self.usual, self.asked, self.times = [], (200, {}, completion(), 0.0), [], []
        self.now, self.most, self.lock = 0, 0, threading.Lock()
        self.url = f"http://127.0.0.1:{self.server_port}/v1"


class Answer(BaseHTTPRequestHandler):
    def do_POST(self):
        server, body = self.server, self.rfile.read(int(self.headers["content-length"]))
        with server.lock:
            server.asked.append((self.path, self.headers["authorization"], json.loads(body)))
            server.times.append(time.monotonic())
            server.now += 1
            server.most = max(server.most, server.now)
            status, headers, answer, seconds = server.script.pop(0) if server.script else server.usual
        time.sleep(seconds)
        raw = answer.encode() if isinstance(answer, str) else json.dumps(answer).encode()
        with server.lock:
            server.now -= 1
        try:
            self.send_response(status)
            for name, value in {"content-type": "application/json", "content-length": len(raw), **headers}.items():
                self.send_header(name, str(value))
            self.end_headers()
            self.wfile.write(raw)
        except OSError:
            pass  # the client did not wait

    def log_message(self, *_):
        pass


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Scripted() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asking(server, folder: Path, prompts=("a",), **settings) -> list[Reply]:
    return ask_all(prompts, ChatSettings(server.url, "m", **settings), folder / "known.jsonl", folder / "log", "test")


def test_a_request_holds_the_settings_and_nothing_else(server, tmp_path):
    (reply,) = asking(server, tmp_path, temperature=0.5, seed=3, max_tokens=7)
    body = {"model": "m", "messages": [{"role": "user", "content": "a"}], "max_tokens": 7, "temperature": 0.5, "seed": 3}
    assert server.asked == [("/v1/chat/completions", f"Bearer {KEY}", body)]
    assert (reply.text, reply.served, reply.finish) == ("```python\nx = 1\n```", "served-1", "stop")
    bare = request_body("a", ChatSettings("", "m", temperature=None, seed=None, max_tokens_field="max_completion_tokens"))
    assert request_key(request_body("a", ChatSettings("", "m", temperature=0))) == request_key(
        request_body("a", ChatSettings("", "m"))
    )
    assert set(bare) == {"model", "messages", "max_completion_tokens"}


def test_nothing_is_asked_twice_not_even_at_another_address(server, tmp_path):
    first = asking(server, tmp_path, ["a", "b", "a"])
    assert len(server.asked) == 2 and first[0] == first[2]
    moved = ask_all(["b", "a"], ChatSettings("http://127.0.0.1:9/v1", "m"), tmp_path / "known.jsonl", tmp_path / "log")
    assert moved == [first[1], first[0]]
    asking(server, tmp_path, ["a"], temperature=1.0)
    assert len(server.asked) == 3


def test_a_half_written_line_costs_one_reply(server, tmp_path):
    asking(server, tmp_path, ["a", "b"], concurrency=1)
    journal = tmp_path / "known.jsonl"
    journal.write_bytes(journal.read_bytes()[:-20])
    asking(server, tmp_path, ["a", "b"])
    assert len(server.asked) == 3 and len([json.loads(line) for line in journal.read_text().splitlines()]) == 2


@pytest.mark.parametrize(
    "fault",
    [(429, {"retry-after": "0.3"}, {"error": {"message": "slow down"}}, 0.0), (500, {}, "oops", 0.0), (503, {}, {}, 0.0)],
    ids=["429", "500", "503"],
)
def test_rate_limits_and_server_errors_are_tried_again(server, tmp_path, fault):
    server.script = [fault]
    (reply,) = asking(server, tmp_path)
    assert reply.text and len(server.asked) == 2
    assert server.times[1] - server.times[0] >= 0.3


def test_a_slow_answer_is_given_up(server, tmp_path):
    server.script = [(200, {}, completion(), 0.6)]
    assert asking(server, tmp_path, timeout=0.2)[0].text and len(server.asked) == 2
    server.usual = (200, {}, completion(), 0.6)
    with pytest.raises(ChatError, match=r"no answer within 0.2 s .*llm.timeout"):
        asking(server, tmp_path, ["b"], timeout=0.2, retries=0)


FAULTS = {
    "key": ((401, {}, {"error": {"message": f"Incorrect API key: {KEY}"}}, 0.0), r"status 401.*llm.api_key_env"),
    "model": ((404, {}, {"error": {"message": "no such model"}}, 0.0), r"status 404.*no such model.*llm.model"),
    "request": ((400, {}, {"error": {"message": "temperature"}}, 0.0), r"status 400.*is not sent"),
    "limit": ((429, {"retry-after": "0.01"}, {}, 0.0), r"status 429.*requests_per_minute"),
    "server": ((502, {"retry-after": "0.01"}, "<html>", 0.0), r"status 502.*run again later"),
    "page": ((200, {"content-type": "text/html"}, "<html>hello</html>", 0.0), r"no chat completion.*base_url"),
    "torn": ((200, {}, '{"choices": [', 0.0), r"no JSON.*base_url"),
    "other": ((200, {}, {"choices": []}, 0.0), r"no chat completion.*base_url"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_one_line_and_finished_replies_are_kept(server, tmp_path, name):
    fault, said = FAULTS[name]
    server.script, server.usual = [(200, {}, completion(), 0.0)], fault
    with pytest.raises(ChatError, match=said) as caught:
        asking(server, tmp_path, ["a", "b", "c"], concurrency=1, retries=1)
    line = str(caught.value)
    assert "\n" not in line and server.url in line and "1 of 3 replies are in" in line and KEY not in line
    tries = 2 if fault[0] == 429 or fault[0] >= 500 else 1
    assert len(server.asked) == 1 + tries
    server.usual = (200, {}, completion(), 0.0)
    assert len(asking(server, tmp_path, ["a", "b", "c"])) == 3 and len(server.asked) == 1 + tries + 2


def test_no_endpoint_and_no_key_are_named(server, tmp_path, monkeypatch):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = ChatSettings(f"http://127.0.0.1:{unused.getsockname()[1]}/v1", "m", retries=0)
        with pytest.raises(ChatError, match=r"no connection .*base_url"):
            ask_all(["a"], nowhere, tmp_path / "k", tmp_path / "log")
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(ChatError, match="set the environment variable OPENAI_API_KEY"):
        asking(server, tmp_path)
    assert asking(server, tmp_path, api_key_env=None)[0].text


def test_the_key_is_in_no_file(server, tmp_path):
    server.script = [(500, {"retry-after": "0.01"}, KEY, 0.0)]
    asking(server, tmp_path, ["a", "b"], **PRICES)
    server.usual = (403, {}, {"error": {"message": KEY}}, 0.0)
    with pytest.raises(ChatError):
        asking(server, tmp_path, ["c"])
    written = [path.read_text() for path in tmp_path.rglob("*") if path.is_file()]
    assert len(written) == 2 and all(written) and not any(KEY in text for text in written)


def test_limits_on_requests_hold(server, tmp_path):
    server.usual = (200, {}, completion(), 0.1)
    asking(server, tmp_path, [str(i) for i in range(9)], concurrency=3)
    assert 2 <= server.most <= 3
    server.times.clear()
    server.script = [(429, {"retry-after": "0.01"}, {}, 0.0)]
    asking(server, tmp_path, list("abcd"), requests_per_minute=600)
    gaps = [b - a for a, b in zip(server.times, server.times[1:], strict=False)]
    # A retry is a request as well. On the way a request may lose some milliseconds, so single gaps may be short.
    assert len(gaps) == 4 and sum(gaps) > 0.3


def test_the_run_stops_before_it_costs_too_much(server, tmp_path):
    server.usual = (200, {}, completion(usage=(100, 50)), 0.0)  # 200 millionths each, at most (64 + 1) + 2 * 60 = 185 are set aside
    limits = {**PRICES, "max_tokens": 60, "max_cost": 5e-4}
    with pytest.raises(ChatError, match=r"llm.max_cost.*0.0004 is spent.*raise llm.max_cost.*2 of 4 replies"):
        asking(server, tmp_path, list("abcd"), **limits)
    assert len(server.asked) == 2
    with pytest.raises(ChatError, match=r"llm\.max_cost"):  # what earlier runs paid counts
        asking(server, tmp_path, list("abcd"), **limits)
    assert len(server.asked) == 2 and "cost 0.0004" in (tmp_path / "log").read_text()
    asking(server, tmp_path, list("abcd"), **{**limits, "max_cost": 1.0})
    assert len(server.asked) == 4


def test_a_limit_on_cost_needs_token_counts(server, tmp_path):
    server.usual = (200, {}, completion(usage=None), 0.0)
    with pytest.raises(ChatError, match="reports no token counts"):
        asking(server, tmp_path, ["a", "b"], concurrency=1, **PRICES, max_cost=1.0)
    assert len(asking(server, tmp_path, ["a", "b"], **PRICES)) == 2


@given(st.lists(st.integers(0, 500), max_size=12), st.integers(1, 4), st.floats(1e-5, 1e-2))
def test_the_limit_on_cost_holds_whatever_is_replied(tokens, workers, limit):
    """As long as the endpoint keeps to max_tokens."""
    from stone.chat import _finished

    settings = ChatSettings("", "m", **PRICES, max_cost=limit, max_tokens=500, concurrency=workers)
    bodies = {str(i): request_body(str(i), settings) for i in range(len(tokens))}
    paid = []
    try:
        for reply in _finished(lambda key, _: Reply(key, "m", "m", "", "stop", 60, tokens[int(key)]), bodies, settings, 0.0):
            paid.append(cost(reply.tokens_in, reply.tokens_out, settings))
    except ChatError:
        assert len(paid) < len(tokens)
    else:
        assert len(paid) == len(tokens)
    assert sum(paid) <= limit


# -- prompts and programs --------------------------------------------------------------------------------------------------------
def test_the_paraphrase_is_the_papers_prompt():
    assert prompt("llm-paraphrase", "f({x})") == "Please paraphrase the following code.\n\nf({x})"
    assert prompt("llm-refactor", "f({x})").startswith("Please refactor") and prompt("llm-refactor", "f({x})").endswith(
        "\n\nf({x})"
    )
    with pytest.raises(ValueError, match=r"'llm-melt'.*choose one of llm-paraphrase"):
        prompt("llm-melt", "")


def test_the_program_of_a_reply():
    good = "def f(x):\n    return x\n"
    assert code_of(f"Sure!\n```python3\n{good}```\nDone.", "python", "f") == good
    assert code_of(f"Before:\n```\nf(1)\n```\nAfter:\n```py\n{good}```", "python", "f") == good
    assert code_of(f"```python\n{good}", "python", "f") == good  # cut off
    assert code_of("```\ndef g(): pass\n```", "python", "f") == "def g(): pass\n"
    assert code_of("I can't.", "python", "f") == "I can't." and code_of("", "python", "f") == ""


@pytest.mark.parametrize("name", ["mini-python", "mini-cpp", "mini-java"])
def test_human_programs_hold_their_function(name):
    problems = load_problems(name)
    assert all(holds(p.human_solution, p.language, p.entry_point) for p in problems)
    assert not any(holds(p.human_solution, p.language, "another") for p in problems)
    assert not any(holds(p.human_solution[:-4] + "((", p.language, p.entry_point) for p in problems)


@pytest.mark.parametrize(("name", "missing"), [("humanevalplus", 0), ("hep-cpp", 4), ("hep-java", 3)])
def test_real_programs_hold_their_function(name, missing, data_folder):
    """Some entry points of HumanEvalPack are not what the function is called; two of its C++ programs are beyond the parser."""
    problems = load_problems(name, source=data_folder)
    assert sum(not holds(p.human_solution, p.language, p.entry_point) for p in problems) == missing


@pytest.mark.parametrize("language", ["python", "cpp", "java"])
@pytest.mark.parametrize("text", ["(" * 100_000, "-" * 100_000 + "1", "{" * 50_000, "\0", "def f(:\n"])
def test_a_hostile_reply_is_only_no_program(language, text):
    assert not holds(text, language, "f")


def test_costs_count_a_request_once():
    reply = Reply("k", "m", "m-1", "x", "length", 10, 5)
    problems = {p.task_id: p for p in load_problems("mini-python")[:1]}
    ((name, problem),) = problems.items()
    attacked = {"task_id": name, "sample": 0, "attack": "llm-refactor", "solution": problem.human_solution}
    asked = [{**attacked, "cell": cell} for cell in ("human", "kgw", "stone")]
    asked[1]["solution"] = "no program"  # what is not there can't be lost
    settings = ChatSettings("", "m", **PRICES)
    records = reply_records(asked, [reply, reply, replace(reply, key="other", finish="stop")], problems)
    (row,) = cost_table(records, settings).to_dict("records")
    assert row == {"Attack": "llm-refactor", "Model": "m-1", "Programs": 3, "Requests": 2, "Function lost": 2, "Program repeated": 0, "Cut off": 2,
                   "Tokens in": 20, "Tokens out": 10, "Cost": pytest.approx(40e-6)}  # fmt: skip
    echo = replace(reply, text=f"Here:\n```\n{problem.human_solution}```")
    assert reply_records(asked[:1], [echo], problems)[0]["repeated"]
    unknown = cost_table([{**records[0], "tokens_out": None}, records[2]], settings).iloc[0]
    assert pd.isna(unknown["Tokens out"]) and pd.isna(unknown["Cost"]) and unknown["Tokens in"] == 20


# -- config ----------------------------------------------------------------------------------------------------------------------
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())
EMBEDDED = yaml.safe_load((ROOT / "config/config.yaml").read_text())
LLM = {"base_url": "https://api.openai.com/v1", "model": "gpt-4o"}


def test_the_configs_defaults_are_the_librarys():
    resolved = resolve({**EMBEDDED, "attacks": list(PROMPTS), "llm": LLM}, SCHEMA)
    assert ChatSettings(**resolved["llm"]) == ChatSettings(**LLM)


@pytest.mark.parametrize(
    ("llm", "said"),
    [
        (None, r"llm is missing; the attack 'llm-paraphrase'"),
        ({"model": "m"}, "llm lacks the key 'base_url'"),
        (
            {**LLM, "base_url": f"https://me:{KEY}@host/v1"},
            r"llm.base_url is not shown; it must be an address without user and password",
        ),
        ({**LLM, "api_key_env": KEY}, r"llm.api_key_env is not shown; it must be the name of an environment variable"),
        ({**LLM, "api_key": KEY}, r"llm.api_key is an unknown key \(did you mean 'api_key_env'\?\); allowed"),
        ({**LLM, "max_cost": 3}, r"llm.max_cost is 3; it needs llm.price_in"),
        ({**LLM, "price_in": 3}, r"llm.price_in and llm.price_out belong together"),
        ({**LLM, "concurrency": 0}, r"llm.concurrency is 0; it must be at least 1"),
    ],
)
def test_a_wrong_config_is_named_and_no_key_is_shown(llm, said):
    with pytest.raises(ConfigError, match=said) as caught:
        resolve({**EMBEDDED, "attacks": ["llm-paraphrase"], "llm": llm}, SCHEMA)
    assert KEY not in str(caught.value) and "\n" not in str(caught.value)


# -- a real server ---------------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def endpoint(tmp_path_factory):
    """`transformers serve` with the embedded coder. It is a base model, so its copy gets a chat template, which opens the reply
    for it. Without Qwen2's marker of the assistant the server would send the prompt back with the reply."""
    folder = tmp_path_factory.mktemp("served")
    model = shutil.copytree(files("stone.mini") / "models" / "coder", folder / "coder")
    (model / "chat_template.jinja").write_text(
        "{% for message in messages %}{{ message['content'] }}\n{% endfor %}{{ '<|im_start|>assistant\\n```python\\ndef ' }}"
    )
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        Path(sys.executable).with_name("transformers"),
        "serve",
        model.name,
        "--host",
        "127.0.0.1",
        "--port",
        port,
        "--device",
        "cpu",
    ]
    with (folder / "log").open("w") as log:
        environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "2"}
        process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, env=environment, cwd=folder)
    try:
        direct, deadline = urllib.request.build_opener(urllib.request.ProxyHandler({})), time.monotonic() + 120
        while True:
            assert process.poll() is None and time.monotonic() < deadline, (folder / "log").read_text()
            try:
                direct.open(f"http://127.0.0.1:{port}/health", timeout=5).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()


def test_a_real_servers_replies_become_verdicts(endpoint, tmp_path, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    problems = {p.task_id: p for p in load_problems("mini-python")[:2]}
    attacked = programs(problems, [])
    asked = [{**record, "attack": name} for name in PROMPTS for record in attacked]
    prompts = [prompt(record["attack"], record["solution"]) for record in asked]
    settings = ChatSettings(endpoint, "coder", api_key_env=None, max_tokens=40, **PRICES)
    replies = ask_all(prompts, settings, tmp_path / "known.jsonl", tmp_path / "log")
    assert [r.key for r in replies] == [request_key(request_body(p, settings)) for p in prompts]
    assert all(r.tokens_in > 20 and 0 < r.tokens_out <= 40 and r.finish in ("stop", "length") for r in replies)
    assert all(r.text.startswith("```python\ndef ") for r in replies)  # the template's opening, and no prompt before it
    again = ask_all(prompts, replace(settings, base_url="http://127.0.0.1:9/v1"), tmp_path / "known.jsonl", tmp_path / "log")
    assert again == replies  # remembered: nobody listens there

    written = reply_records(asked, replies, problems)
    assert all(r["solution"].startswith("def ") and not r["repeated"] for r in written)
    everything = attacked_solutions(problems, [], ["strip", *PROMPTS], written)
    verdicts = judge_remembering(problems, everything, tmp_path / "verdicts.jsonl", tmp_path / "log", backend="bubblewrap")
    verdicts["attack"] = [s["attack"] for s in everything]
    assert set(verdicts[verdicts.attack.isin(["none", "strip"])].status) == {"passed"}
    nonsense = verdicts[verdicts.attack.isin(PROMPTS)].status
    assert len(nonsense) == 4 and not set(nonsense) & {"passed", "sandbox_error"}
    assert cost_table(written, settings).Cost.gt(0).all()
