"""The stone command as a person meets it: marking, detecting, showing, and every mistake as one line with a next step."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import pytest

from stone.cli import run
from stone.keys import commit, same_key
from stone.scoring import tokens_needed, verdict

PROMPT = 'def sum_of_evens(numbers):\n    """Return the sum of the even numbers of a list."""\n'


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("STONE_KEY", "a secret")
    monkeypatch.setenv("COLUMNS", "200")


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """A program with a strong mark, and its sidecar: many functions, so that there is enough to score."""
    folder = tmp_path_factory.mktemp("marked")
    path = folder / "marked.py"
    previous = os.environ.get("STONE_KEY")
    os.environ["STONE_KEY"] = "a secret"
    options = ["--delta", "20", "--seed", "4", "--max-new-tokens", "200", "--temperature", "3", "--no-stop", "-o", str(path)]
    assert run(["generate", PROMPT, *options]) == 0
    if previous is None:
        del os.environ["STONE_KEY"]
    return path


def records(capsys, *arguments) -> tuple[int, list[dict]]:
    code = run(["detect", "--json", *map(str, arguments)])
    return code, json.loads(capsys.readouterr().out)


def test_marked_code_is_found_without_any_flag(marked, capsys):
    code, (found,) = records(capsys, marked)
    assert found["verdict"] == "marked" and code == 0 and found["p_value"] < 0.01 and found["method"] == "stone"
    assert found["green"] > 0.9 * found["scored"]


def test_files_are_private_and_hold_no_key(marked, capsys):
    sidecar = marked.with_name(marked.name + ".stone.json")
    for path in (marked, sidecar):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert "a secret" not in path.read_text()
    from stone.cli.common import read_key

    assert str(read_key(None)) not in sidecar.read_text()


def test_another_key_tokenizer_or_syntax_table_is_refused(marked, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("STONE_KEY", "another")
    assert run(["detect", str(marked)]) == 2
    assert "the key is not the one" in capsys.readouterr().err
    monkeypatch.setenv("STONE_KEY", "a secret")
    sidecar = json.loads(marked.with_name(marked.name + ".stone.json").read_text())
    for field, word in (("tokenizer", "tokenizer"), ("syntax", "table of syntax elements")):
        copy = tmp_path / f"{field}.py"
        copy.write_text(marked.read_text())
        copy.with_name(copy.name + ".stone.json").write_text(json.dumps(sidecar | {field: "0" * 64}))
        assert run(["detect", str(copy)]) == 2
        assert word in capsys.readouterr().err
    assert run(["detect", str(marked), "--gamma", "0.25"]) == 2
    assert "'gamma': 0.25" in capsys.readouterr().err


def test_folders_and_unmarked_code(tmp_path, capsys):
    (tmp_path / "a.py").write_text("def add(a, b):\n    return a + b\n")
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "B.java").write_text("class B { int f(int x) { return x; } }\n")
    (tmp_path / "notes.txt").write_text("no code")
    code, found = records(capsys, tmp_path)
    assert code == 1 and [f["language"] for f in found] == ["python", "java"]
    assert {f["verdict"] for f in found} <= {"too short", "not marked"}


def test_one_bad_file_does_not_lose_the_others(tmp_path, capsys):
    (tmp_path / "good.py").write_text("x = 1\n")
    (tmp_path / "bad.py").write_bytes(b"\0\1\2")
    code = run(["detect", "--json", str(tmp_path)])
    captured = capsys.readouterr()
    good, bad = json.loads(captured.out)
    assert code == 2 and good["verdict"] == "too short" and "no UTF-8" in bad["error"]


def test_show_colours_every_token(marked, capsys, tmp_path):
    page = tmp_path / "page.html"
    assert run(["show", str(marked), "--html", str(page)]) == 0
    text = page.read_text()
    assert 'class="green"' in text and 'class="syntax"' in text and "z so far" in text
    assert "<script" not in text and "http" not in text
    capsys.readouterr()
    assert run(["show", str(marked)]) == 0
    assert "scored tokens are green" in capsys.readouterr().out


def test_doctor_tells_what_is_missing_and_how_to_get_it(capsys):
    assert run(["doctor", "--json"]) == 0
    rows = {row["name"].strip(): row for row in json.loads(capsys.readouterr().out)}
    assert rows["embedded models"]["works"] and all(row["works"] or row["remedy"] for row in rows.values())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["detect", "missing.py"], "check the path"),
        (["detect", "{tmp}/binary.py"], "source file"),
        (["detect", "{tmp}/huge.py"], "larger than"),
        (["detect", "{tmp}/code.txt"], "--language"),
        (["detect", "{tmp}/code.txt", "--language", "cobol"], "python, cpp, java"),
        (["detect", "{tmp}/empty-folder"], "name the files"),
        (["detect", "{tmp}/code.py", "--key-file", "{tmp}/empty.key"], "empty"),
        (["detect", "{tmp}/code.py", "--key-file", "{tmp}/no.key"], "check the path"),
        (["detect", "{tmp}/code.py", "--method", "stoned"], "kgw"),
        (["detect", "{tmp}/code.py", "--gamma", "1.5"], "between 0 and 1"),
        (["detect", "{tmp}/code.py", "--model", "{tmp}/nowhere"], "check the name"),
        (["detect", "{tmp}/damaged.py"], "delete it"),
        (["generate", ""], "empty"),
        (["generate", "def f(x):", "-o", "{tmp}/code.py"], "another name"),
        (["generate", "def f(x):", "-o", "{tmp}/none/f.py", "--max-new-tokens", "2"], "check the path"),
        (["generate", "def f(x):", "--model", "{tmp}/nowhere"], "check the name"),
        (["show", "{tmp}/code.py", "--html", "/proc/page.html"], "/proc"),
        (["sandbox", "test", "--backend", "podman"], "choose one of"),
        (["frobnicate"], "--help"),
        (["detect"], "--help"),
    ],
)
def test_mistakes_are_one_line_with_a_next_step(arguments, says, tmp_path, capsys):
    (tmp_path / "binary.py").write_bytes(b"\x7fELF\0")
    (tmp_path / "huge.py").write_text("x = 1\n" * 2_000_000)
    (tmp_path / "empty.key").write_text("\n")
    (tmp_path / "empty-folder").mkdir()
    for name in ("code.py", "code.txt", "damaged.py"):
        (tmp_path / name).write_text("x = 1\n")
    (tmp_path / "damaged.py.stone.json").write_text("{")
    assert run([a.format(tmp=tmp_path) for a in arguments]) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("stone: ") and says in lines[0]
    assert "fault of stone itself" not in lines[0]


def test_a_full_disk_is_one_line(tmp_path):
    code = "import sys; sys.path[:0] = []; from stone.cli import run; sys.exit(run(['generate', 'def f(x):', '--max-new-tokens', '4']))"
    with open("/dev/full", "w") as full:
        done = subprocess.run([sys.executable, "-c", code], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode != 0 and "space" in done.stderr and "Traceback" not in done.stderr


def test_no_network_is_one_line(tmp_path):
    code = "import sys; from stone.cli import run; sys.exit(run(['generate', 'def f(x):', '--model', 'someone/some-model']))"
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=offline, capture_output=True, text=True)
    (line,) = done.stderr.strip().splitlines()
    assert done.returncode == 2 and "cannot be reached; connect, or give the folder" in line


def test_ctrl_c_is_one_line(tmp_path):
    command = [sys.executable, "-c", "import sys; from stone.cli import run; print('up', flush=True); sys.exit(run(['sandbox', 'test', '--backend', 'bubblewrap']))"]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and err.strip() == "stone: interrupted"


def test_commitments_prove_the_key_and_nothing_else():
    assert same_key(42, commit(42)) and not same_key(43, commit(42))
    assert commit(42) != commit(42)


def test_tokens_needed_and_the_three_verdicts():
    assert tokens_needed(0.5, 1.0, 0.01, 0.99) == 7  # 2^-7 < 0.01
    assert tokens_needed(0.5, 0.75, 0.01) > tokens_needed(0.25, 0.75, 0.01)
    assert tokens_needed(0.5, 0.6, 0.01, 0.9) > tokens_needed(0.5, 0.6, 0.01, 0.5)
    assert verdict(0.001, 5, 0.5, 0.01) == "marked"
    assert verdict(0.3, 5, 0.5, 0.01) == "too short" and verdict(0.3, 500, 0.5, 0.01) == "not marked"
    with pytest.raises(ValueError, match="green_share"):
        tokens_needed(0.5, 0.5, 0.01)


def test_a_rewriting_mark_is_put_in_and_found(tmp_path, capsys):
    path = tmp_path / "rewritten.py"
    assert run(["generate", PROMPT, "--method", "acw", "--seed", "3", "--max-new-tokens", "200", "-o", str(path)]) == 0
    capsys.readouterr()
    code, (found,) = records(capsys, path)
    assert path.read_text().startswith(PROMPT) and found["method"] == "acw" and code == 1
    assert found["green"] == found["scored"] == 3 and found["p_value"] == 2**-3 and found["verdict"] == "too short"
    assert run(["show", str(path)]) == 0 and "3 of 3 slots match" in capsys.readouterr().out
