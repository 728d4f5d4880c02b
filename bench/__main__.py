"""Measures this checkout, alone or against another commit: docs/performance.md.

make bench                      each row, in hellos, beside its target
make bench BASE=<commit>        each row of this checkout ÷ that of the commit
make bench BASE=… LONG=1        also heavy rows, in 30 minutes; MINUTES=60 for longer
make bench ARGS="move lobby"    only rows whose names contain one of these words
"""

import argparse
import resource
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median

from bench.browser import Browser
from bench.checkout import here, of_commit
from bench.compare import Task, ratio, rounds, short, table, verdict, written
from bench.rows import REQUESTS, ROWS, Row, Stage
from bench.server import Server, hello_server

MINUTES, LONG = 4.0, 30.0  # heavy rows are measured if there is time


def main(words: Sequence[str]) -> int:
    """Print the table, marking missed targets. They are not errors."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--base", default="", help="the commit to compare this checkout with")
    parser.add_argument("--minutes", type=float, default=MINUTES)
    parser.add_argument("rows", nargs="*", help="words in the names of the rows to measure")
    asked = parser.parse_args(words)

    # 1. Choose the rows.
    chosen = [
        row
        for row in ROWS
        if (not asked.rows or any(word in row.name for word in asked.rows))
        and (not row.heavy or asked.minutes >= LONG)
    ]
    if not chosen:
        parser.error(f"no row has such a word in its name: {'; '.join(row.name for row in ROWS)}")

    # 2. Make room for a thousand streams.
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))

    with tempfile.TemporaryDirectory(prefix="kaboom-bench-") as name:
        folder = Path(name)
        # 3. Check the other commit out, or start the hello server.
        stages = [Stage(here(), folder)]
        if asked.base:
            stages.append(Stage(of_commit(asked.base), folder))
            print(f"{stages[1].checkout.root} is ready", file=sys.stderr)
        try:
            # 4. Measure in turn, and 5. print the results.
            if asked.base:
                print(compared(chosen, stages, 60 * asked.minutes))
            else:
                with hello_server(folder) as hello:
                    print(measured(chosen, stages[0], hello, 60 * asked.minutes))
        finally:
            for stage in stages:
                stage.close()
    return 0


def compared(rows: Sequence[Row], stages: Sequence[Stage], seconds: float) -> str:
    """Return the table of this checkout compared with another."""
    tasks = [Task(r.name, [partial(r.measure, s) for s in stages], every(r)) for r in rows]
    found = rounds(tasks, seconds)
    lines = []
    for row in rows:
        pairs = [(one, other) for one, other in found[row.name]]
        figures = [f"{short(median(side))} {row.unit}" for side in zip(*pairs, strict=True)]
        times = ratio(pairs)
        said = verdict(times, len(pairs))
        if row.unit == "bytes":  # these have a time budget of their own
            said = "ok" if median(one for one, _ in pairs) <= (row.most or 0) else "NO"
        lines.append([row.name, *figures, written(times), str(len(pairs)), said])
    heads = ["what", "here", stages[1].checkout.name, "here ÷ base (95%)", "rounds", "ok?"]
    return table(heads, lines)


def measured(rows: Sequence[Row], stage: Stage, hello: Server, seconds: float) -> str:
    """Return the table of this checkout alone, with the targets."""

    def said_hello() -> float:
        browser, before = Browser(hello.port), hello.cpu()
        for _ in range(REQUESTS):
            browser.fetch("/")
        browser.close()
        return (hello.cpu() - before) / REQUESTS

    tasks = [Task(r.name, [partial(r.measure, stage), said_hello], every(r)) for r in rows]
    found = rounds(tasks, seconds)
    lines = []
    for row in rows:
        pairs = [(one, other) for one, other in found[row.name]]
        figure = median(one for one, _ in pairs)
        hellos = ratio(pairs)
        kept = (hellos.middle if row.hellos else figure) <= (row.most or figure)
        promised = f"≤ {row.most:,g} {'× hello' if row.hellos else row.unit}" if row.most else ""
        ok = ("yes" if kept else "NO") if row.most else ""
        by_hello = written(hellos) if row.unit == "ms" and not row.heavy else ""
        figures = [f"{short(figure)} {row.unit}", by_hello, str(len(pairs))]
        lines.append([row.name, *figures, promised, ok])
    return table(["what", "figure", "× hello (95%)", "rounds", "promised", "ok?"], lines)


def every(row: Row) -> int:
    """Return the number of rounds in which a row is measured once."""
    return 40 if row.heavy else row.every


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
