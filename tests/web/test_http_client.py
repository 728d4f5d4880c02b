"""Requests to a URL entered by a player reach only public addresses, whatever it resolves to."""

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from kaboom.notifications.webhook_payloads import SHAPES, News, message
from kaboom.web.outgoing.exchange import give_up
from kaboom.web.outgoing.http_client import Failed, _PinnedConnection, post
from kaboom.web.outgoing.url_policy import LONGEST, NotAllowed, UrlPolicy, checked, is_public
from tests.support.effort import PATIENCE
from tests.support.receivers import NAME, Hook, receiving

NOT_PUBLIC = [
    "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
    "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1",
    "::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1", "100::1", "2001::1",
    "2001:0:7f00:1::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::", "3fff::1", "fc00::1",
    "fd12:3456::1", "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1", "5f00::1", "", "localhost",
    "0x7f.1", "2130706433", "017700000001", "127.1",
]  # fmt: skip
PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001::1",
          "::ffff:8.8.8.8"]  # fmt: skip


@pytest.mark.parametrize("address", NOT_PUBLIC)
def test_internal_ip_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", PUBLIC)
def test_public_ip_address_is_public(address: str) -> None:
    assert is_public(address)


def never(host: str, port: int) -> list[str]:
    raise AssertionError(f"{host} must not even be looked up")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/", "ftp://example.org/", "//example.org/", "example.org", "",
        "https://", "https:///path", "https://example.org:8443/", "https://example.org:22/",
        "https://example.org:99999/", "https://example.org:x/", "https://user@example.org/",
        "https://user:word@example.org/", "https://:word@example.org/", "https://@example.org/",
        "https://127.0.0.1/",
        "https://[::1]/", "https://[::ffff:127.0.0.1]/", "https://[fe80::1%25eth0]/",
        "https://169.254.169.254/latest/", "https://exa mple.org/", "https://example.org/a b",
        "https://example.org/\r\nX: y", "https://example.org/\tx", "https://[::1", "file:///etc",
        "https://" + "a" * 600 + ".org/", "https://\ud800.org/",
    ],
)  # fmt: skip
def test_forbidden_url_forms_are_refused(address: str) -> None:
    with pytest.raises(NotAllowed):
        post(address, b"{}", UrlPolicy(look_up=never))


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://example.org", ("example.org", 443, "/")),
        ("https://EXAMPLE.org:443/a/b?c=d&e#f", ("example.org", 443, "/a/b?c=d&e")),
        ("https://münchen.example/ü", ("xn--mnchen-3ya.example", 443, "/%C3%BC")),
        ("https://8.8.8.8/x%20y", ("8.8.8.8", 443, "/x%20y")),
    ],
)
def test_allowed_url_is_split_into_its_parts(address: str, found: tuple[str, int, str]) -> None:
    assert checked(address, UrlPolicy()) == found


@pytest.mark.parametrize("address", [ip for ip in NOT_PUBLIC if ip])
def test_name_resolving_to_an_internal_ip_is_not_called(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Only here: a thread of another test may still be connecting.
    ours = SimpleNamespace(**vars(socket) | {"create_connection": never})
    monkeypatch.setattr("kaboom.web.outgoing.http_client.socket", ours)
    with pytest.raises(NotAllowed):
        post("https://inside.example.org/", b"{}", UrlPolicy(look_up=lambda host, port: [address]))
    with pytest.raises(NotAllowed):  # an additional public address does not help
        url_policy = UrlPolicy(look_up=lambda host, port: ["8.8.8.8", address])
        post("https://inside.example.org/", b"{}", url_policy)


@pytest.mark.parametrize("written", ["0x7f.1", "2130706433", "017700000001", "127.1", "localhost"])
def test_resolved_aliases_of_this_machine_are_refused(written: str) -> None:
    with pytest.raises((NotAllowed, Failed)):
        post(f"https://{written}/", b"{}", UrlPolicy(seconds=1))


def test_unresolvable_host_name_fails() -> None:
    def unknown(host: str, port: int) -> list[str]:
        raise socket.gaierror("unknown")

    with pytest.raises(Failed):
        post("https://example.org/", b"{}", UrlPolicy(look_up=unknown))
    with pytest.raises(NotAllowed):
        post("https://example.org/", b"{}", UrlPolicy(look_up=lambda host, port: []))


# A real server behind TLS


@pytest.fixture
def hook(tmp_path: Path) -> Iterator[Hook]:
    with receiving(tmp_path) as found:
        yield found


def test_body_is_sent_to_the_resolved_ip_address(hook: Any) -> None:
    body = json.dumps({"text": "It is your turn"}).encode()
    post(hook.address, body, hook.url_policy)
    ((path, headers, got),) = hook.asked
    assert (path, got) == ("/a?b", body)
    assert headers["Host"].startswith(NAME)
    assert headers["Content-Type"] == "application/json"
    assert "Cookie" not in headers


def test_content_headers_are_sent_and_ours_stay(hook: Any) -> None:
    more = {"Content-Type": "text/plain; charset=utf-8", "Title": "TakeN", "User-Agent": "other"}
    post(hook.address, "Žofie".encode(), hook.url_policy, more)
    ((_, headers, got),) = hook.asked
    assert got.decode() == "Žofie"
    assert headers["Content-Type"] == "text/plain; charset=utf-8"
    assert (headers["Title"], headers["User-Agent"]) == ("TakeN", "Kaboom")


@pytest.mark.parametrize("shape", SHAPES)
def test_payload_arrives_unchanged(shape: str, hook: Any) -> None:
    news = News("Žofie, ni zamu yako", "King of the Hill", "https://cards.example.org/t/ABCDEFGH")
    said = message(news, hook.address, shape)
    post(hook.address, said.body, hook.url_policy, said.headers)
    ((_, headers, got),) = hook.asked
    assert got == said.body
    assert said.headers.items() <= headers.items()


@pytest.mark.parametrize("bad", ["a\r\nHost: elsewhere", "Žofie"])
def test_invalid_header_fails_and_nothing_is_sent(bad: str, hook: Any) -> None:
    with pytest.raises(Failed):
        post(hook.address, b"x", hook.url_policy, {"Title": bad})
    assert not hook.asked


def test_host_name_is_resolved_once_against_rebinding(hook: Any) -> None:
    answers = iter([["127.0.0.1"], ["10.0.0.1"]])
    post(hook.address, b"{}", replace(hook.url_policy, look_up=lambda host, port: next(answers)))
    assert len(hook.asked) == 1
    assert next(answers) == ["10.0.0.1"]  # not resolved again


def test_redirect_is_a_failure_and_not_followed(hook: Any) -> None:
    for hook.status in (301, 302, 307, 308, 404, 500):
        with pytest.raises(Failed, match=str(hook.status)):
            post(hook.address, b"{}", hook.url_policy)
    assert len(hook.asked) == 6


@pytest.mark.parametrize("raw", [b"", b"garbage\r\n\r\n", b"HTTP/1.1 abc OK\r\n\r\n"])
def test_missing_or_malformed_response_is_a_failure(raw: bytes, hook: Hook) -> None:
    hook.raw = raw
    with pytest.raises(Failed):
        post(hook.address, b"{}", hook.url_policy)


def test_refusal_has_its_status_and_retry_delay(hook: Hook) -> None:
    hook.status = 429
    with pytest.raises(Failed) as error:
        post(hook.address, b"{}", hook.url_policy)
    assert (error.value.status, error.value.after) == (429, 77.0)


def test_a_certificate_for_another_name_is_refused(hook: Any) -> None:
    with pytest.raises(Failed):
        post(hook.address.replace("hook.", "other."), b"{}", hook.url_policy)
    with pytest.raises(Failed):
        post(hook.address, b"{}", replace(hook.url_policy, trust=ssl.create_default_context()))
    assert not hook.asked


def test_response_sent_byte_by_byte_times_out(hook: Any) -> None:
    hook.slowly = 0.2
    began = time.monotonic()
    with pytest.raises(Failed):
        post(hook.address, b"{}", replace(hook.url_policy, seconds=0.7))
    assert time.monotonic() - began < 10  # the whole answer takes twenty


def test_unreachable_host_is_a_failure(hook: Any) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    url_policy = replace(hook.url_policy, ports=frozenset({port}))
    with pytest.raises(Failed):
        post(f"https://{NAME}:{port}/", b"{}", url_policy)


@pytest.mark.parametrize(
    ("more", "refused"),
    [("x" * (LONGEST - 19), True), ("x" * (LONGEST - 20), False), ("a b", True)],
)
def test_url_has_a_maximum_length_and_no_spaces(more: str, refused: bool) -> None:
    address = f"https://example.org/{more}"
    if refused:
        with pytest.raises(NotAllowed, match="too long, or contains spaces"):
            checked(address, UrlPolicy())
    else:
        assert checked(address, UrlPolicy())[:2] == ("example.org", 443)


def test_stalled_tls_handshake_times_out_like_a_silent_server() -> None:
    """Under gevent each byte of a handshake restarts the timeout, so a deadline must end it."""
    ended: list[Exception] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connection = _PinnedConnection(NAME, port, "127.0.0.1", UrlPolicy(seconds=PATIENCE))
        give_up(connection)  # nothing to end yet

        def calling() -> None:
            try:
                connection.connect()
            except OSError as error:
                ended.append(error)

        thread = threading.Thread(target=calling, daemon=True)
        thread.start()
        with server.accept()[0] as client:
            assert client.recv(1) == b"\x16", "a handshake has begun"
            give_up(connection)
            thread.join(PATIENCE / 2)
            assert ended and not thread.is_alive()
    connection.close()
    give_up(connection)


def test_failed_connection_does_not_wait_for_a_second_ip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = []

    def refuse(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append((address, timeout))
        raise TimeoutError

    monkeypatch.setattr(socket, "create_connection", refuse)
    url_policy = UrlPolicy(lambda it: True, look_up=lambda *_: ["1.2.3.4", "1.2.3.5"], seconds=0.7)
    with pytest.raises(Failed):
        post("https://example.org/", b"{}", url_policy)
    assert asked == [(("1.2.3.4", 443), 0.7)]
