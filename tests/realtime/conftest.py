"""Shared fixtures of push tests: a real Redis, one that never answers, and an unused address."""

import os
import secrets
import socket
from collections.abc import Iterator

import pytest
from redis import Redis
from redis.exceptions import RedisError

REDIS_URL = os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/0")


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    """A client of the real Redis; without one the test is skipped, in CI it fails."""
    client = Redis.from_url(REDIS_URL, socket_timeout=1, socket_connect_timeout=1)
    try:
        client.ping()
    except RedisError as error:
        client.close()
        reason = f"no Redis at {REDIS_URL} ({error}); start one or set TEST_REDIS_URL"
        if os.environ.get("CI") == "true":
            pytest.fail(reason, pytrace=False)
        pytest.skip(reason)
    yield client
    client.close()


@pytest.fixture
def channel() -> str:
    """A separate Redis channel."""
    return f"kaboom-test-{secrets.token_hex(4)}"


@pytest.fixture
def no_redis() -> str:
    """A URL where nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{probe.getsockname()[1]}/0"


@pytest.fixture
def hung_redis() -> Iterator[str]:
    """A URL where a server accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
