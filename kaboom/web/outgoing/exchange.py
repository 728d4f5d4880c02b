"""One HTTP request with a deadline and a size limit. Redirects are not followed."""

import http.client
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPMessage
from socket import SHUT_RDWR
from typing import NamedTuple


class Unanswered(Exception):
    """A request got no response, or not in time; str() says why."""


class Answer(NamedTuple):
    """A response. `body` is empty unless `status` is a success."""

    status: int
    headers: HTTPMessage
    body: bytes


def exchange(
    connection: HTTPConnection,
    method: str,
    path: str,
    body: bytes | None,
    headers: Mapping[str, str],
    seconds: float,
    most: int,
) -> Answer:
    """Send a request, close the connection, and return the response with up to `most + 1` bytes of
    its body (none if `most` is 0). The extra byte reveals a body that is longer than allowed.

    Raises Unanswered, also if the whole exchange takes longer than `seconds`.
    """
    try:
        with _deadline(connection, seconds):
            connection.request(method, path, body, {**headers, "User-Agent": "Kaboom"})
            answer = connection.getresponse()
            status, found = answer.status, answer.headers
            said = answer.read(most + 1) if most and 200 <= status < 300 else b""
            answer.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Unanswered(repr(error)) from error
    finally:
        connection.close()
    return Answer(status, found, said)


@contextmanager
def _deadline(connection: HTTPConnection, seconds: float) -> Iterator[None]:
    end = threading.Timer(seconds, give_up, [connection])
    end.daemon = True
    end.start()
    try:
        yield
    finally:
        end.cancel()


def give_up(connection: HTTPConnection) -> None:
    """End a request that takes too long, even if the response arrives byte by byte."""
    with suppress(OSError, AttributeError):  # not connected yet, or no longer
        connection.sock.shutdown(SHUT_RDWR)
