"""Local receivers of notifications: a web server with TLS and a mail server, with our own
certificate.
"""

import datetime
import http.server
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from kaboom.notifications.smtp import MailServer, mail_server
from kaboom.web.outgoing.url_policy import UrlPolicy

NAME = "hook.example.org"
FROM = "kaboom@cards.example.org"


@dataclass
class Hook:
    """The requests that a test server received, and its address."""

    url_policy: UrlPolicy
    asked: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 204
    raw: bytes | None = None  # sent instead of an answer; if empty, the connection is closed
    address: str = ""
    slowly: float = 0.0


def certificate(folder: Path, name: str) -> Path:
    """Return a file with a key and a self-signed certificate for a name."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    made = (
        x509.CertificateBuilder()
        .subject_name(called)
        .issuer_name(called)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{name}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + made.public_bytes(serialization.Encoding.PEM)
    )
    return path


class QuietHandler(http.server.BaseHTTPRequestHandler):
    """Answers requests without logging them."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving_https(
    folder: Path, handler: type[QuietHandler], seconds: float
) -> Iterator[tuple[UrlPolicy, str]]:
    """Serve HTTPS as NAME; yield the policy that allows calls to the server, and its URL."""
    made = certificate(folder, NAME)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    port = server.server_address[1]
    policy = UrlPolicy(
        allowed=lambda ip: ipaddress.ip_address(ip).is_loopback,
        ports=frozenset({port}),
        look_up=lambda host, port: ["127.0.0.1"],
        trust=ssl.create_default_context(cafile=str(made)),
        seconds=seconds,
    )
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield policy, f"https://{NAME}:{port}"
    server.shutdown()
    server.server_close()
    thread.join(5)


@contextmanager
def receiving(folder: Path) -> Iterator[Hook]:
    """Receive webhooks."""

    class Answer(QuietHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            found.asked.append((self.path, dict(self.headers), body))
            if found.slowly:
                try:
                    for _ in range(100):
                        self.wfile.write(b"H")
                        self.wfile.flush()
                        time.sleep(found.slowly)
                except OSError:
                    return
            if found.raw is not None:
                self.wfile.write(found.raw)
                return
            self.send_response(found.status)
            self.send_header("Retry-After", "77")
            self.send_header("Location", "https://elsewhere.example.org/")
            self.end_headers()

    with serving_https(folder, Answer, seconds=2.0) as (policy, url):
        found = Hook(policy, address=f"{url}/a?b")
        yield found


class Inbox:
    """The e-mails of a mail server, and its answer to a recipient."""

    def __init__(self) -> None:
        self.letters: list[Any] = []
        self.answer = "250 OK"

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if self.answer.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.answer

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        self.letters.append((envelope, message_from_bytes(envelope.content, policy=default)))
        return "250 OK"


@contextmanager
def taking_letters(folder: Path) -> Iterator[tuple[MailServer, Inbox]]:
    """Serve SMTP with STARTTLS and a password."""
    made = certificate(folder, "localhost")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made)
    inbox = Inbox()

    def known(server: Any, session: Any, envelope: Any, how: str, it: LoginPassword) -> AuthResult:
        return AuthResult(success=it == LoginPassword(b"us er", b"p:w"))

    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    running = Controller(
        inbox,
        hostname="127.0.0.1",
        port=port,
        tls_context=context,
        require_starttls=True,
        auth_required=True,
        authenticator=known,
    )
    running.start()
    server = mail_server(f"smtp://us%20er:p%3Aw@localhost:{port}", FROM)
    trust = ssl.create_default_context(cafile=str(made))
    try:
        yield replace(server, trust=lambda: trust, seconds=1.0), inbox
    finally:
        running.stop()
