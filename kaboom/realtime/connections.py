"""How many connections one process takes, and how many of them may be event streams."""

CONNECTIONS = 2000
OTHER_FILES = 100  # files a process has open besides: databases, logs, Redis


def connections() -> int:
    """Return how many connections this process takes: 2,000, or fewer where files are limited.

    Each is an open file; many systems let a process ask for more than the thousand it starts with.
    """
    try:
        import resource
    except ImportError:  # not on Unix
        return CONNECTIONS
    wanted = CONNECTIONS + OTHER_FILES
    now, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    endless = resource.RLIM_INFINITY
    possible = wanted if most == endless else min(wanted, most)
    if now != endless and now < possible:
        resource.setrlimit(resource.RLIMIT_NOFILE, (possible, most))
    return possible - OTHER_FILES


def streams() -> int:
    """Return how many of the connections may be streams; the rest stay free for requests."""
    return connections() * 4 // 5
