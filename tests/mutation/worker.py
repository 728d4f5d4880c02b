"""Makes changes one by one in a copy of the tree, and runs the tests near each.

Each change is written to its file. A change within a function is also made in a forked process that
has already imported everything and collected all tests, by replacing the function's code. Any other
change needs a process that imports the file again.
"""

import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import cache_from_source
from pathlib import Path
from types import CodeType, FunctionType

import pytest

QUIET = ["-q", "-x", "-n", "0", "-p", "no:cacheprovider"]
MEMORY = 4_000_000_000  # bytes of memory that a changed program may use
# Slow objects that all tests share; they are created before a process is forked.
MADE_ONCE = ("migrated_sqlite", "one_app")
OURS = 99  # the exit status of our own failure
LONGEST_IDLE = 120.0  # seconds without work after which a run counts as hanging

UNNOTICED = "survived"
FAILED = "failed"  # a test failed
BROKEN = "broken"  # the changed program cannot be imported
HANGS = "hangs"  # it runs much longer than before, waits forever or uses too much memory


def codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code object and all nested ones, in source order."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def alone(code: CodeType) -> tuple[object, ...]:
    """Return a code object's own part, without nested ones."""
    constants = [repr(c) for c in code.co_consts if not isinstance(c, CodeType)]
    within = [c.co_qualname for c in code.co_consts if isinstance(c, CodeType)]
    variables = (code.co_varnames, code.co_freevars, code.co_cellvars)
    return code.co_code, code.co_names, *variables, constants, within


def new_codes(path: Path, old: bytes, new: bytes) -> dict[CodeType, CodeType] | None:
    """Return the new code of each function by its old one; None for a change outside functions."""
    befores = list(codes(compile(old, path, "exec")))
    afters = list(codes(compile(new, path, "exec")))
    if [code.co_qualname for code in befores] != [code.co_qualname for code in afters]:
        return None
    pairs = list(zip(befores, afters, strict=True))
    for before, after in pairs:
        is_function = before.co_flags & 0x2  # CO_NEWLOCALS: neither a module nor a class
        if not is_function and alone(before) != alone(after):
            return None
        if before.co_freevars != after.co_freevars:
            return None
    return dict(pairs)


def functions_by_file() -> dict[str, list[FunctionType]]:
    """Return all loaded functions by source file."""
    found = defaultdict(list)
    gc.unfreeze()  # objects that conftest.py has frozen are not listed
    for function in gc.get_objects():
        if isinstance(function, FunctionType):
            found[function.__code__.co_filename].append(function)
    return found


def worked(group: int) -> int:
    """Return the processor ticks used by a process group."""
    ticks = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if int(fields[2]) == group:
            ticks += int(fields[11]) + int(fields[12])
    return ticks


def ended(child: int) -> int:
    """Wait for a process and return its status; end its group if it idles too long."""
    ticks, since = 0, time.monotonic()
    looks = 0
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status
        looks += 1
        if looks % 100 == 0 and (now := worked(child)) != ticks:
            ticks, since = now, time.monotonic()
        if time.monotonic() > since + LONGEST_IDLE:
            os.killpg(child, signal.SIGKILL)
            return os.waitpid(child, 0)[1]
        time.sleep(0.05)


def run_anew(names: list[str]) -> None:
    """Replace this process by one that runs tests after importing everything again."""
    Path("chosen.txt").write_text("\n".join(names))
    files = dict.fromkeys(name.partition("::")[0] for name in names)
    plugin = ["-p", "tests.mutation.chosen"]
    os.execv(sys.executable, [sys.executable, "-m", "pytest", *QUIET, *plugin, *files])


def answer_of(run: Callable[[], None], limit: float) -> str:
    """Return the result of tests run by another process.

    A hang is recognised by its processor time, however busy the machine is, or by long idleness.
    """
    child = os.fork()
    if not child:
        os.setpgid(0, 0)  # so that a hanging change can be ended with its children
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit), int(limit)))
        try:
            run()
        finally:
            os._exit(OURS)
    status = ended(child)
    if os.WIFSIGNALED(status):
        return HANGS
    code = os.WEXITSTATUS(status)
    assert code != OURS
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return UNNOTICED
    return FAILED if code == pytest.ExitCode.TESTS_FAILED else BROKEN


class Answering:
    """A pytest plugin that collects all tests and runs them on request.

    It answers each input line, [file, start, end, new text, tests, seconds, must import again],
    with the result.
    """

    def __init__(self) -> None:
        self.asked, self.answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # the output of tests is dropped
        os.dup2(1, 2)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        self.session, self.items = session, {item.nodeid: item for item in session.items}
        for name in MADE_ONCE:
            item = next((it for it in session.items if name in it.fixturenames), None)
            if item:  # keep the session's fixtures but no folder's: any test may come next
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=session)
        assert not session.testsfailed
        self.functions = functions_by_file()
        gc.collect()
        gc.freeze()  # so that forked processes do not scan it again
        for line in self.asked:
            file, start, end, text, names, seconds, anew = json.loads(line)
            path = Path(file).resolve()
            old = path.read_bytes()
            new = old[:start] + text.encode() + old[end:]
            codes = None if anew else new_codes(path, old, new)
            path.write_bytes(new)  # for servers that a test starts, too
            # Python would reuse the compiled file if the size and the second were equal.
            Path(cache_from_source(str(path))).unlink(missing_ok=True)
            run = run_anew if codes is None else partial(self.run_here, codes)
            answer = answer_of(partial(run, names), seconds)
            path.write_bytes(old)
            Path(cache_from_source(str(path))).unlink(missing_ok=True)
            print(json.dumps(answer), file=self.answers, flush=True)
        return True

    def run_here(self, new: dict[CodeType, CodeType], names: list[str]) -> None:
        """Run tests with new code in this process, and end it."""
        changed = False
        for function in self.functions[next(iter(new)).co_filename]:
            changed |= function.__code__ != new[function.__code__]
            function.__code__ = new[function.__code__]
        if not changed:  # no function holds the code any more: it ran at import
            run_anew(names)
        items = [self.items[name] for name in names if name in self.items]
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.session.shouldfail:
                break
        failed = self.session.testsfailed
        os._exit(int(pytest.ExitCode.TESTS_FAILED if failed else pytest.ExitCode.OK))


def seeing(tree: Path) -> dict[str, str]:
    """Return an environment in which a copy of the tree finds its own games and every test uses the
    faster store. `make test` alternates between both stores.
    """
    outside = os.pathsep.join(map(str, sorted((tree / "examples").iterdir())))
    return os.environ | {"PYTHONPATH": outside, "KABOOM_WHOLE": "1"}


def started(tree: Path, tests: list[str]) -> subprocess.Popen[str]:
    """Start a worker in a copy of the tree."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.mutation.worker", *tests],
        cwd=tree,
        env=seeing(tree),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


if __name__ == "__main__":
    own = ["--basetemp", "tests-of-changes"]
    pytest.main([*QUIET, *own, *sys.argv[1:]], plugins=[Answering()])
