"""How many connections a process takes, where files are limited and where they are not."""

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")


def asked(now: int, most: int) -> list[int]:
    """Return connections, streams and the new limit on files of a process so limited."""
    code = (
        "import resource; from kaboom.realtime.connections import connections, streams;"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({now}, {most}));"
        "print(connections(), streams(), resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return [int(number) for number in done.stdout.split()]


@pytest.mark.parametrize(
    ("now", "most", "expected"),
    [
        (1024, 4096, [2000, 1600, 2100]),  # as most systems begin
        (3000, 4096, [2000, 1600, 3000]),  # more than is needed stays
        (256, 1024, [924, 739, 1024]),  # no more to be had
    ],
)
def test_a_process_asks_for_as_many_files_as_it_takes_connections(now, most, expected):
    assert asked(now, most) == expected
