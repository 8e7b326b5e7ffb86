"""C++ programs: compiled in one sandbox, run in another; a pass is a secret that only the end of the tests writes."""

import re
import secrets
import shutil
import sys
import tempfile
from pathlib import Path

from stone.datasets import Problem
from stone.sandbox.backends import Backend, disk_full, run, workspace
from stone.sandbox.exchange import Limits, Run, SandboxError, cut_short
from stone.sandbox.prepared import fetch, keep, kept
from stone.sandbox.verdict import Verdict

COMPILE = Limits(cpu=60, wall=120.0, memory=3 * 2**30, file=2**29, processes=64)
RUN = Limits(cpu=10, wall=30.0, memory=2 * 2**30, processes=32)
_FAILED = 77
_COMPILER = "/usr/bin/g++"
_FLAGS = [_COMPILER, "-std=c++17", "-O0", "-pipe"]
_FITS = ["-Winvalid-pch", "-Werror=invalid-pch"]  # a precompiled header that does not fit is an error
# Half of the default linker's time, still less if it does not map whole libraries.
_GOLD = ["-fuse-ld=gold", "-Wl,--no-map-whole-files"] if Path("/usr/bin/ld.gold").exists() else []
_PLUGIN = Path(__file__).parent / "instantiate.cc"

# The usual headers, precompiled once. <cstring> stays out: its strlen would answer for a solution's own wrong one.
_HEADERS = """algorithm cassert cctype climits cmath cstdint cstdio cstdlib deque functional iostream iterator limits list map numeric
queue set sstream stack stdexcept string tuple unordered_map unordered_set utility vector unistd.h""".split()

# What short programs do most: its templates are precompiled too, their machine code into a library.
_USES = """namespace stone_headers {
template <class T> void vectors(T x, std::vector<T> v) {
    std::vector<T> w = {x}, u(w), e, z(3, x), r(v.begin(), v.end()); u = w; v = {x}; v = std::vector<T>{x};
    for (auto& y : u) v.push_back(y);
    v[0]; v.front(); v.back(); v.size(); v.empty(); v == u; v.insert(v.end(), x); v.pop_back(); v.clear();
}
template <class T> void ordered(T x, std::vector<T> v) {
    std::sort(v.begin(), v.end()); std::reverse(v.begin(), v.end()); std::find(v.begin(), v.end(), x) == v.end(); std::max(x, x); std::min(x, x);
}
template <class K> void counted(K k, std::map<K, int> m) { m[k] += 1; m.find(k) == m.end(); for (auto e : m) e.second; }
inline void uses(int i, long long l, float f, double d, std::string s, std::vector<int> v, std::vector<std::string> t) {
    vectors(i, {}); vectors(l, {}); vectors(f, {}); vectors(d, {}); vectors(s, {}); vectors(v, {}); vectors(t, {});
    ordered(i, {}); ordered(f, {}); ordered(s, {}); counted('a', {}); counted(i, {}); counted(s, {});
    std::string a = "a", b(s), c(s + "a"), e(3, 'a'), g(s.begin(), s.end()), h(s.rbegin(), s.rend());
    s = "a"; s = s + s; s += s; s + 'a'; 'a' + s; s + "a"; s == s; s != s; s < s; s == "a"; s.substr(1, 2); s.push_back('a');
    for (char x : s) x;
    std::reverse(s.begin(), s.end()); std::to_string(i); std::to_string(l); std::cout << s << std::endl;
}}
#pragma stone instantiate
"""

_TRIAL = "int main() { std::vector<int> v = {1}; v.push_back(2); return v.size() != 2; }"

# HumanEvalPack's CPP/22 and CPP/137 want boost::any; the standard's has the same interface.
_BOOST_ANY = """#pragma once
#include <any>
namespace boost { using std::any; using std::any_cast; using std::bad_any_cast; }
"""

# Reads the secret before any code of the solution runs; the variable's name is random, so that no solution can name it.
_BEFORE = """static unsigned char {slot}[16];
__attribute__((constructor(101))) static void {slot}_read() {{
    for (int k = 0; k < 16; k += 1) if (::read(0, {slot} + k, 1) != 1) ::_exit(70); else {slot}[k] ^= 0x5a;
    ::close(0);
}}
"""
# A solution's `#pragma GCC optimize` ends before the tests: renamed, their main has no implicit return, which an optimiser takes for unreachable.
_BETWEEN = """
#pragma GCC reset_options
#undef assert
#define assert(...) ((__VA_ARGS__) ? (void)0 : ::_exit({failed}))
#define main stone_tests
"""
_AFTER = """
#undef main
int main() {{
    stone_tests();
    for (int k = 0; k < 16; k += 1) {slot}[k] ^= 0x5a;
    ::write(2, {slot}, 16);
    ::_exit(0);
}}
"""


def source(problem: Problem, solution: str, slot: str) -> str:
    """The whole translation unit: secret, solution, tests with their own assert, and a main that proves their end."""
    tests = re.sub(r"^\s*#\s*(?:undef NDEBUG|include\s*<(?:assert\.h|cassert)>).*$", "", problem.test, flags=re.MULTILINE)
    return _BEFORE.format(slot=slot) + solution + _BETWEEN.format(failed=_FAILED) + tests + _AFTER.format(slot=slot)


def prepare(backend: Backend, programs: list[tuple[Problem, str]], pool):
    """A function (index, CPU seconds) -> Verdict, and no verdict yet; the headers are precompiled first."""
    folder = workspace(backend, "stone-cpp-")
    headers = Path(folder.name) / "headers"
    _precompile(backend, headers)

    def judge(index: int, cpu: int) -> Verdict:
        problem, solution = programs[index]
        with tempfile.TemporaryDirectory(dir=folder.name) as work:  # `folder` lives as long as this function
            status, seconds, detail = _judge(backend, problem, solution, headers, Path(work), RUN.within(cpu))
        return Verdict(problem.task_id, status, seconds, detail)

    return judge, {}


def _precompile(backend: Backend, headers: Path) -> None:
    """Put usual.h.gch, and with the plugin usual.so, the code of its functions, into a new folder: from the cache if they fit this compiler."""
    (headers / "boost").mkdir(parents=True)
    (headers / "boost" / "any.hpp").write_text(_BOOST_ANY)
    usual, precompiled, library = (headers / name for name in ("usual.h", "usual.h.gch", "usual.so"))
    usual.write_text("".join(f"#include <{name}>\n" for name in _HEADERS) + _USES)
    version = run(backend, [_COMPILER, "--version"], COMPILE).stdout.decode(errors="replace")
    made_of = [version, backend.name, *_FLAGS, usual.read_text(), _PLUGIN.read_text()]
    places = {made: kept(f"cpp-{made.name}", made_of) for made in (precompiled, library)}
    if all(place.exists() for place in places.values()):
        for made, place in places.items():
            fetch(place, made)
        with tempfile.TemporaryDirectory(dir=headers.parent) as folder:
            work = Path(folder)
            if _compile(backend, _TRIAL, headers, work, _FITS).code == 0 and _start(backend, headers, work, RUN).code == 0:
                return
        for made in places:
            made.unlink()
    plugin = _plugin(backend, headers)
    _make(backend, [*plugin, "-x", "c++-header", str(usual)], headers)
    if plugin:
        _make(backend, [*plugin, "-fPIC", "-shared", "-x", "c++", str(usual), "-o", str(library)], headers)
        for made, place in places.items():
            keep(made, place)


def _make(backend: Backend, options: list[str], headers: Path) -> None:
    made = run(backend, [*_FLAGS, "-w", *options], COMPILE, writable=[headers])
    if made.code != 0:
        why = made.fault or disk_full(headers) or f"{made.stderr.decode(errors='replace')[:300]}; install g++"
        raise SandboxError(f"g++ cannot precompile the headers: {why}")


def _plugin(backend: Backend, folder: Path) -> list[str]:
    """The option that loads `instantiate.cc`, built in a folder; none, and a line that says so, where GCC's headers for plugins are missing."""
    shutil.copy(_PLUGIN, folder)
    at, binary = folder / _PLUGIN.name, folder / "instantiate.so"
    # the compiler's own folder for plugins, which a shell in the sandbox asks it for
    build = f'{_COMPILER} -shared -fPIC -fno-rtti -w -I "$({_COMPILER} -print-file-name=plugin)/include" "$0" -o "$1"'
    if run(backend, ["/bin/sh", "-c", build, str(at), str(binary)], COMPILE, writable=[folder]).code == 0:
        return [f"-fplugin={binary}"]
    cure = "run `stone sandbox build` again" if backend.name == "docker" else 'apt-get install "gcc-$(g++ -dumpversion)-plugin-dev"'
    print(f"sandbox: C++ programs compile half as fast without GCC's headers for plugins; {cure}", file=sys.stderr)
    return []


def _compile(backend: Backend, text: str, headers: Path, work: Path, more: list[str]) -> Run:
    """Compile a program into work/program."""
    library = headers / "usual.so"
    command = [*_FLAGS, "-fno-use-linker-plugin", *_GOLD, "-I", str(headers), "-include", str(headers / "usual.h")]
    command += ["-x", "c++", "-", "-o", str(work / "program"), *(["-x", "none", str(library)] if library.exists() else []), *more]
    return run(backend, command, COMPILE, text.encode(), readable=[headers], writable=[work])


def _start(backend: Backend, headers: Path, work: Path, limits: Limits, data: bytes = b"") -> Run:
    return run(backend, [str(work / "program")], limits, data, readable=[headers], private=[work])


def _judge(backend: Backend, problem: Problem, solution: str, headers: Path, work: Path, limits: Limits) -> tuple[str, float, str]:
    text = source(problem, solution, "s" + secrets.token_hex(16))
    libraries = ["-lcrypto"] if "<openssl/" in solution else []  # HumanEvalPack's CPP/162
    compiled = _compile(backend, text, headers, work, ["-w", *libraries])
    fault = compiled.fault or (disk_full(work) if compiled.code else None)
    if fault:
        return "sandbox_error", compiled.seconds, fault
    if compiled.code != 0 or compiled.hit:
        errors = [line for line in compiled.stderr.decode(errors="replace").splitlines() if "error" in line]
        return "compile_error", compiled.seconds, compiled.hit or (errors or ["the compiler gave up"])[0].removeprefix("<stdin>:")
    secret = secrets.token_bytes(16)
    done = _start(backend, headers, work, limits, secret)
    status, detail = _status(done, secret, limits)
    return status, done.seconds, detail


def _status(run: Run, secret: bytes, limits: Limits) -> tuple[str, str]:
    cut = cut_short(run, limits)
    if cut:
        return cut
    if run.code == 0:
        return ("passed", "") if run.stderr.endswith(secret) else ("failed", "early_exit")
    if run.code == _FAILED:
        return "failed", "a test failed"
    if b"std::bad_alloc" in run.stderr:
        return "out_of_memory", "std::bad_alloc"
    return "runtime_error", f"signal {-run.code}" if run.code < 0 else f"exit code {run.code}"
