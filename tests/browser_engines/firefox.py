"""Debian's Firefox, unpatched, controlled over Marionette, its own remote control."""

import json
import shutil
from typing import Any

from tests.browser_engines.desktop import Desktop, listens, wait_until
from tests.support.server import free_port

PREFERENCES = {
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "datareporting.policy.dataSubmissionPolicyBypassNotification": True,
    "extensions.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "termsofuse.bypassNotification": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


def program() -> str | None:
    """Return the path of Firefox, or None if it is not installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


def open_firefox(desktop: Desktop, width: int = 0, height: int = 0, **more: Any) -> Any:
    """Return Marionette's client of a new Firefox on a desktop; `more` lists preferences.

    If a size is given, Firefox is headless and its pages have roughly that size.
    """
    from marionette_driver.marionette import Marionette

    port = free_port()
    profile = desktop.folder / f"firefox-{port}"
    profile.mkdir()
    preferences = PREFERENCES | {"marionette.port": port} | more
    (profile / "user.js").write_text(
        "".join(f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in preferences.items())
    )
    window = ("--headless", f"--width={width}", f"--height={height}") if width else ()
    desktop.start(
        str(program()),
        "--marionette",
        "--remote-allow-system-access",
        "--no-remote",
        "--profile",
        str(profile),
        *window,
    )
    wait_until(lambda: listens(port), 60, "Firefox does not listen")
    client = Marionette(host="127.0.0.1", port=port)
    client.start_session(timeout=60)
    return client
