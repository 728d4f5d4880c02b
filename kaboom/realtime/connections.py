"""The maximum number of connections of a process, and how many of them may be event streams."""

CONNECTIONS = 2000
OTHER_FILES = 100  # other open files: databases, logs, Redis


def connections() -> int:
    """Return the maximum number of connections of this process: 2,000, or fewer if file descriptors
    are limited.

    Each connection needs one. Many systems allow a process to raise its initial limit of about a
    thousand.
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
    """Return the number of connections that may be streams; the rest stay free for requests."""
    return connections() * 4 // 5
