"""Java programs: compiled by one warm compiler in a sandbox, each run in a fresh JVM; a pass is a secret written after Main returns."""

import secrets
import shutil
from math import ceil
from pathlib import Path

from stone.datasets import Problem
from stone.sandbox.backends import Backend, disk_full, run, workspace
from stone.sandbox.exchange import Limits, Run, SandboxError, cut_short
from stone.sandbox.prepared import fetch, keep, kept
from stone.sandbox.verdict import Verdict

_HERE = Path(__file__).parent
COMPILE = Limits(cpu=120, wall=240.0, memory=8 * 2**30, processes=256)
RUN = Limits(cpu=10, wall=30.0, memory=6 * 2**30, processes=128)  # a JVM reserves far more address space than it uses
_CHUNK = 150  # programs per compiler process: it gets faster as it warms up
_JAVA = ["/usr/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"]
_SMALL = ["-Xmx512m", "-Xss8m", "-XX:ReservedCodeCacheSize=32m", "-XX:CICompilerCount=1"]


def prepare(backend: Backend, programs: list[tuple[Problem, str]], pool):
    """A function (index, CPU seconds) -> Verdict, and no verdict yet; everything is compiled first, in chunks."""
    folder = workspace(backend, "stone-java-")
    root = Path(folder.name)
    runner = _runner(backend, root)
    size = min(_CHUNK, max(1, ceil(len(programs) / 2)))  # at least two, for two workers
    chunks = [range(k, min(k + size, len(programs))) for k in range(0, len(programs), size)]
    for outcome in pool.map(lambda chunk: _compile(backend, programs, chunk, root / str(chunk.start // size), runner), chunks):
        if outcome:
            raise SandboxError(outcome)

    def judge(index: int, cpu: int) -> Verdict:
        problem = programs[index][0]
        work = Path(folder.name) / str(index // size) / str(index)  # `folder` lives as long as this function
        message = (work / "outcome").read_text() if (work / "outcome").exists() else "the compiler gave up"
        if message != "ok":
            return Verdict(problem.task_id, "compile_error", 0.0, message)
        secret = secrets.token_bytes(16)
        command = [*_JAVA, *_SMALL, "-cp", f"{runner}:{work}", "Runner"]
        limits = RUN.within(cpu)
        done = run(backend, command, limits, secret, readable=[runner], private=[work])
        status, detail = _status(done, secret, limits)
        return Verdict(problem.task_id, status, done.seconds, detail)

    return judge, {}


def _runner(backend: Backend, root: Path) -> Path:
    """A folder with our two classes, compiled: from the cache if this machine's Java runs them."""
    runner = root / "runner"
    runner.mkdir()
    runner.chmod(0o755)
    sources = [_HERE / name for name in ("Compile.java", "Runner.java")]
    classes = {runner / f"{s.stem}.class": kept(s.stem, [backend.name, s.read_text()]) for s in sources}
    if all(place.exists() for place in classes.values()):
        for at, place in classes.items():
            fetch(place, at)
        if run(backend, [*_JAVA, "-cp", str(runner), "Compile"], COMPILE, readable=[runner]).code == 0:
            return runner
        for at in classes:
            at.unlink()
    for source in sources:
        shutil.copy(source, runner)
    command = ["/usr/bin/javac", "-d", str(runner), *(str(runner / source.name) for source in sources)]
    built = run(backend, command, COMPILE, writable=[runner])
    if built.code != 0:
        why = built.fault or disk_full(root) or f"{built.stderr.decode(errors='replace')[:300]}; install a JDK (17 or newer)"
        raise SandboxError(f"javac does not work: {why}")
    for at, place in classes.items():
        keep(at, place)
    return runner


def _compile(backend: Backend, programs, chunk: range, place: Path, runner: Path) -> str | None:
    """Compile a chunk of programs; programs that the compiler did not reach are tried alone. Returns a fault of the sandbox."""
    place.mkdir()
    for index in chunk:
        work = place / str(index)
        work.mkdir()
        work.chmod(0o777)
        problem, solution = programs[index]
        (work / "Main.java").write_text(solution + "\n" + problem.test)

    def compile_some(indices) -> Run:
        command = [*_JAVA, "-Xmx1g", "-cp", str(runner), "Compile", str(place), *map(str, indices)]
        return run(backend, command, COMPILE, readable=[runner], writable=[place])

    compile_some(chunk)
    for index in chunk:
        if not (place / str(index) / "outcome").exists():
            fault = compile_some([index]).fault or disk_full(place)
            if fault:
                return fault
    place.chmod(0o711)
    return None


def _status(run: Run, secret: bytes, limits: Limits) -> tuple[str, str]:
    cut = cut_short(run, limits)
    if cut:
        return cut
    text = run.stderr.decode(errors="replace")
    if run.code == 0:
        return ("passed", "") if run.stderr.endswith(secret) else ("failed", "early_exit")
    if run.code == 77:
        return "failed", text[-200:]
    if run.code == 78 or "OutOfMemoryError" in text:
        return "out_of_memory", text[-200:]
    return "runtime_error", text[-200:] or f"exit code {run.code}"
