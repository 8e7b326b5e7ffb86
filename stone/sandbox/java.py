"""Java programs: compiled by one warm compiler in a sandbox, each run in a fresh JVM; a pass is a secret written after Main returns."""

import secrets
import shutil
import tempfile
from pathlib import Path

from stone.datasets import Problem
from stone.sandbox.backends import Backend, Limits, SandboxError
from stone.sandbox.verdict import Verdict

_HERE = Path(__file__).parent
COMPILE = Limits(cpu=120, wall=240.0, memory=8 * 2**30, processes=256)
RUN = Limits(cpu=10, wall=30.0, memory=6 * 2**30, processes=128)  # a JVM reserves far more address space than it uses
_CHUNK = 150  # programs per compiler process: it gets faster as it warms up
_JAVA = ["/usr/bin/java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto"]
_SMALL = ["-Xmx512m", "-Xss8m", "-XX:ReservedCodeCacheSize=32m", "-XX:CICompilerCount=1"]


def prepare(backend: Backend, programs: list[tuple[Problem, str]], pool):
    """A function (index, CPU seconds) -> Verdict, and no verdict yet; everything is compiled first, in chunks."""
    folder = tempfile.TemporaryDirectory(prefix="stone-java-")
    root = Path(folder.name)
    root.chmod(0o755)
    runner = _runner(backend, root)
    chunks = [range(k, min(k + _CHUNK, len(programs))) for k in range(0, len(programs), _CHUNK)]
    for outcome in pool.map(lambda chunk: _compile(backend, programs, chunk, root, runner), chunks):
        if outcome:
            raise SandboxError(outcome)

    def judge(index: int, cpu: int) -> Verdict:
        problem = programs[index][0]
        work = Path(folder.name) / str(index // _CHUNK) / str(index)  # `folder` lives as long as this function
        message = (work / "outcome").read_text() if (work / "outcome").exists() else "the compiler gave up"
        if message != "ok":
            return Verdict(problem.task_id, "compile_error", 0.0, message)
        secret = secrets.token_bytes(16)
        run = backend.run([*_JAVA, *_SMALL, "-cp", f"{runner}:{work}", "Runner"], RUN.within(cpu), secret, readable=[runner, work])
        status, detail = _status(run, secret)
        return Verdict(problem.task_id, status, run.seconds, detail)

    return judge, {}


def _runner(backend: Backend, root: Path) -> Path:
    """A folder with our two classes, compiled."""
    runner = root / "runner"
    runner.mkdir()
    for name in ("Compile.java", "Runner.java"):
        shutil.copy(_HERE / name, runner)
    command = ["/usr/bin/javac", "-d", str(runner), str(runner / "Compile.java"), str(runner / "Runner.java")]
    built = backend.run(command, COMPILE, writable=[runner])
    if built.code != 0:
        raise SandboxError(f"javac does not work: {built.stderr.decode(errors='replace')[:300]}; install a JDK (17 or newer)")
    runner.chmod(0o755)
    return runner


def _compile(backend: Backend, programs, chunk: range, root: Path, runner: Path) -> str | None:
    """Compile a chunk of programs; programs that the compiler did not reach are tried alone. Returns a fault of the sandbox."""
    place = root / str(chunk.start // _CHUNK)
    place.mkdir()
    for index in chunk:
        work = place / str(index)
        work.mkdir()
        work.chmod(0o777)
        problem, solution = programs[index]
        (work / "Main.java").write_text(solution + "\n" + problem.test)

    def compile_some(indices) -> bytes:
        command = [*_JAVA, "-Xmx1g", "-cp", str(runner), "Compile", str(place), *map(str, indices)]
        return backend.run(command, COMPILE, readable=[runner], writable=[place]).stderr

    errors = compile_some(chunk)
    if errors.startswith(b"bwrap:"):
        return errors.decode(errors="replace")[:300]
    for index in chunk:
        if not (place / str(index) / "outcome").exists():
            compile_some([index])
    place.chmod(0o755)
    return None


def _status(run, secret: bytes) -> tuple[str, str]:
    if run.hit:
        return run.hit, f"after {run.seconds:.1f} s"
    text = run.stderr.decode(errors="replace")
    if run.code == 0:
        return ("passed", "") if run.stderr.endswith(secret) else ("failed", "early_exit")
    if run.code == 77:
        return "failed", text[-200:]
    if run.code == 78 or "OutOfMemoryError" in text:
        return "out_of_memory", text[-200:]
    if run.stderr.startswith(b"bwrap:"):
        return "sandbox_error", text[:200]
    if run.code in (-24, -9):
        return "timeout", "CPU limit"
    return "runtime_error", text[-200:] or f"exit code {run.code}"
