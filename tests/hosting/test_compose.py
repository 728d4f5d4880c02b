"""docs/hosting/compose.yaml: its settings exist, its health checks work, and its Caddyfile is the
tested one.
"""

import re
import shutil
import subprocess
import sys

import pytest
import yaml

from kaboom.config import SETTINGS, from_environment
from tests.conftest import missing
from tests.support.server import ROOT, Server

HOSTING = ROOT / "docs" / "hosting"


@pytest.fixture(scope="module")
def services():
    """The services of the file by name."""
    return yaml.safe_load((HOSTING / "compose.yaml").read_text())["services"]


def test_compose_settings_exist_and_secrets_are_required(services):
    given = services["kaboom"]["environment"]
    assert set(given) <= set(SETTINGS)
    assert given["SECRET_KEY"] == "${SECRET_KEY:?}"
    assert int(given["WEB_CONCURRENCY"]) > 1 and given["REDIS_URL"]
    assert given["PROXIES"] == "1"


def test_compose_settings_are_valid_with_the_guides_env_file(services):
    guide = (ROOT / "docs" / "hosting.md").read_text().split("### With Compose")[1]
    (written,) = re.findall(r"printf '(.*?)'", guide)
    words = iter(["5" * 48, "7" * 48])
    lines = [re.sub("%s", lambda _: next(words), it) for it in written.split("\\n") if it]
    file = dict(line.split("=", 1) for line in lines)

    def filled(text):
        return re.sub(r"\$\{(\w+)(?::[?-])\}", lambda it: file.get(it[1], ""), text)

    given = services["kaboom"]["environment"]
    required = {name for text in given.values() for name in re.findall(r"\$\{(\w+):\?\}", text)}
    assert required <= file.keys()
    settings = from_environment({name: filled(text) for name, text in given.items()})
    assert settings.public_url == "https://cards.example.org"
    assert settings.database_url.endswith("@postgres/kaboom") and settings.workers > 1


@pytest.mark.e2e
def test_compose_health_check_of_kaboom_reports_readiness(services, sqlite_url):
    kind, _python, *rest = services["kaboom"]["healthcheck"]["test"]
    server = Server(sqlite_url).start()
    command = [it.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}") for it in rest]

    def healthy():
        return subprocess.run([sys.executable, *command], capture_output=True).returncode == 0

    try:
        assert kind == "CMD" and healthy()
    finally:
        server.kill()
    assert not healthy()


@pytest.mark.parametrize(
    "name",
    [pytest.param("postgres", marks=pytest.mark.postgres),
     pytest.param("redis", marks=pytest.mark.redis)],
)  # fmt: skip
def test_compose_health_checks_of_stores_work(services, name):
    kind, program, *rest = services[name]["healthcheck"]["test"]
    if shutil.which(program) is None:
        missing(program)
    command = [program, "-h", "127.0.0.1", *rest]
    assert kind == "CMD"
    assert subprocess.run(command, capture_output=True, timeout=20).returncode == 0


def test_compose_waits_for_healthy_services(services):
    assert all("healthcheck" in services[name] for name in ("kaboom", "postgres", "redis"))
    for service in services.values():
        assert service["restart"] == "unless-stopped"
        for name, when in service.get("depends_on", {}).items():
            assert when == {"condition": "service_healthy"} and "healthcheck" in services[name]


def test_compose_keeps_data_in_named_volumes():
    whole = yaml.safe_load((HOSTING / "compose.yaml").read_text())
    used = {
        it.partition(":")[0]
        for service in whole["services"].values()
        for it in service.get("volumes", [])
        if not it.startswith(".")
    }
    assert used == set(whole["volumes"])


def test_compose_caddyfile_equals_the_tested_one_except_names():
    def body(name):
        text = (HOSTING / name).read_text().split("\n", 1)[1]
        return re.sub(r"cards\.example\.org|\{\$DOMAIN\}", "DOMAIN", text).replace(
            "kaboom:8000", "127.0.0.1:8000"
        )

    assert body("compose.Caddyfile") == body("Caddyfile")
