"""docs/hosting/alerts.yml: each alert is triggered on a real server, and its message arrives."""

import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import yaml
from aiosmtpd.controller import Controller
from prometheus_client.parser import text_string_to_metric_families

from kaboom.admin import disk
from kaboom.admin import service as admin
from tests.support.effort import PATIENCE
from tests.support.forms import Browser
from tests.support.receivers import Inbox
from tests.support.reverse_proxies import running
from tests.support.server import ROOT, HttpClient, Server, free_port

HOSTING = ROOT / "docs" / "hosting"
RULES = {
    rule["alert"]: rule
    for group in yaml.safe_load((HOSTING / "alerts.yml").read_text())["groups"]
    for rule in group["rules"]
}


def test_alerts_query_existing_metrics(client, service):
    client.get("/")
    service.signals.late(0.1)
    found = {
        sample.name
        for family in text_string_to_metric_families(client.get("/metrics").text)
        for sample in family.samples
    }
    for rule in RULES.values():
        asked = set(re.findall(r"kaboom_\w+", rule["expr"]))
        assert asked <= found or rule["expr"].startswith("up"), rule["alert"]
    assert 'le="1.0"' in client.get("/metrics").text


def test_last_backup_and_free_space_are_metrics(client, service):
    def figure(name):
        return float(re.search(rf"^{name} (\S+)$", client.get("/metrics").text, re.M)[1])

    assert figure("kaboom_last_backup_timestamp_seconds") == 0
    admin.backed_up(service, admin.COMMAND_LINE)
    assert figure("kaboom_last_backup_timestamp_seconds") == service.now()
    assert figure("kaboom_disk_free_bytes") > 0


def test_free_space_is_that_of_the_database(monkeypatch, tmp_path):
    asked = []

    def usage(folder):
        asked.append(str(folder))
        return shutil._ntuple_diskusage(10, 6, 4)

    monkeypatch.setattr(disk.shutil, "disk_usage", usage)
    urls = [f"sqlite:///{tmp_path}/kaboom.sqlite3", "postgresql://kaboom@elsewhere/kaboom"]
    for url in urls:
        assert disk.disk(disk.ServerSettings(database_url=url)) == (10, 4)
    assert asked == [str(tmp_path), "/"]


class Hooks(ThreadingHTTPServer):
    """Receives Alertmanager's web hooks; `alerts` are all received ones, with their state."""

    daemon_threads = True

    def __init__(self) -> None:
        self.alerts: list[tuple[str, str]] = []
        super().__init__(("127.0.0.1", 0), Hook)


class Hook(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        sent = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.alerts += [(it["labels"]["alertname"], it["status"]) for it in sent["alerts"]]
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args) -> None:
        pass


def quickly(text: str) -> str:
    """Return a file of docs/hosting with seconds instead of minutes."""
    instead = {"15s": "1s", "group_wait: 30s": "group_wait: 1s, group_interval: 1s"}
    instead |= {"for: 1m": "for: 1s", "[5m]": "[15s]", "offset 5m": "offset 15s"}
    for that, this in instead.items():
        text = text.replace(that, this)
    return text


@contextmanager
def watched(folder, server: int):
    """Run Prometheus and Alertmanager as in docs/hosting, and receive their alerts."""
    inbox, hooks = Inbox(), Hooks()
    mail, here, manager = free_port(), free_port(), free_port()
    instead = {"127.0.0.1:8000": f"127.0.0.1:{server}", "127.0.0.1:9093": f"127.0.0.1:{manager}"}
    instead |= {"127.0.0.1:25": f"127.0.0.1:{mail}", ":9099/": f":{hooks.server_port}/"}
    for name in ("alerts.yml", "prometheus.yml", "alertmanager.yml"):
        text = quickly((HOSTING / name).read_text())
        for that, this in instead.items():
            text = text.replace(that, this)
        (folder / name).write_text(text)
    letters = Controller(inbox, hostname="127.0.0.1", port=mail)
    letters.start()
    threading.Thread(target=hooks.serve_forever, args=(0.01,), daemon=True).start()
    data, cluster = f"--storage.tsdb.path={folder}/data", "--cluster.listen-address="
    listen = "--web.listen-address=127.0.0.1:"
    prometheus = ["prometheus", f"--config.file={folder}/prometheus.yml", data, f"{listen}{here}"]
    alertmanager = ["prometheus-alertmanager", f"--config.file={folder}/alertmanager.yml"]
    alertmanager += [f"--storage.path={folder}/alerts", f"{listen}{manager}", cluster]
    try:
        with running(alertmanager, manager), running(prometheus, here):
            yield hooks, inbox
    finally:
        letters.stop()
        hooks.shutdown()
        hooks.server_close()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 24 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(folder)]
    if subprocess.run(mounted, capture_output=True).returncode:
        pytest.skip("a disk of its own")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.mark.nightly
def test_each_alert_is_sent_when_its_fault_occurs(small_disk, migrated_sqlite, tmp_path):
    if not all(map(shutil.which, ("prometheus", "prometheus-alertmanager"))):
        pytest.skip("Prometheus and Alertmanager")
    file = small_disk / "kaboom.sqlite3"
    shutil.copy(migrated_sqlite, file)
    server = Server(f"sqlite:///{file}", BOT_PACE="natural").start()

    with watched(tmp_path, server.port) as (hooks, inbox):

        def arrives(name: str, state: str = "firing") -> None:
            deadline = time.monotonic() + 3 * PATIENCE
            while (name, state) not in hooks.alerts:
                assert time.monotonic() < deadline, (name, state, hooks.alerts)
                time.sleep(0.2)

        try:
            arrives("KaboomBackupOld")  # no backup exists
            arrives("KaboomDiskFull")  # a disk of 24 MB has no free GB
            backup = ["-m", "kaboom", "backup", str(tmp_path / "all.gz")]
            server_does(server, backup)
            arrives("KaboomBackupOld", "resolved")

            ann = Browser(HttpClient(server.url))
            ann.open("/start/gops")
            ann.send(ann.page.form("/tables"), name="Ann", bots="1")
            ann.send(ann.page.form("/start"))
            for pid in server.workers():
                os.kill(pid, signal.SIGSTOP)  # before the bot has moved
            time.sleep(6)
            for pid in server.workers():
                os.kill(pid, signal.SIGCONT)
            arrives("KaboomLate")

            with suppress(OSError), (small_disk / "full").open("wb", buffering=0) as full:
                while True:
                    full.write(bytes(4096))
            ann.open("/start/gops")
            ann.send(ann.page.form("/tables"), name="Ann")
            assert ann.status == 503
            arrives("KaboomBusy")
            (small_disk / "full").unlink()

            with closing(sqlite3.connect(file)) as damaged:
                damaged.execute("DROP TABLE match_requests")
            assert HttpClient(server.url).get("/play").status_code == 500
            arrives("KaboomErrors")
            server.kill()
            arrives("KaboomDown")
        finally:
            server.kill()
        told = {str(letter["Subject"]) for _, letter in inbox.letters}
    assert all(any(name in subject for subject in told) for name in RULES), told


def server_does(server: Server, command: list[str]) -> None:
    """Run a command with a server's settings."""
    environ = os.environ | server.settings
    subprocess.run([sys.executable, *command], cwd=ROOT, env=environ, check=True, timeout=120)
