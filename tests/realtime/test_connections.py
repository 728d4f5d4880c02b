"""The number of connections per process, with and without a limit on open files."""

import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")


def asked(now: int, most: int) -> list[int]:
    """Return connections, streams and the new file limit of a process with such limits."""
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
        (1024, 4096, [2000, 1600, 2100]),  # the default of most systems
        (3000, 4096, [2000, 1600, 3000]),  # a higher limit stays
        (256, 1024, [924, 739, 1024]),  # the hard limit is lower
    ],
)
def test_process_raises_its_file_limit_to_fit_its_connections(now, most, expected):
    assert asked(now, most) == expected
