"""Debian's WebKitGTK, Safari's engine, in its MiniBrowser, controlled over WebDriver."""

import shutil
from pathlib import Path
from typing import Any

from tests.browser_engines.desktop import Desktop, listens, wait_until
from tests.support.server import free_port

# The frame around a page is removed, so that a window can be as narrow as a phone.
NOTHING_AROUND = "* { min-width: 0; min-height: 0; margin: 0; padding: 0; font-size: 1px; }"
BROWSERS = Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")
MINI_BROWSER = next((str(path) for path in sorted(BROWSERS, reverse=True)), "")


def open_webkit(desktop: Desktop, *arguments: str) -> Any:
    """Return selenium's client of a new MiniBrowser on a desktop."""
    from selenium.webdriver import Remote
    from selenium.webdriver.remote.client_config import ClientConfig
    from selenium.webdriver.remote.remote_connection import RemoteConnection
    from selenium.webdriver.webkitgtk.options import Options

    port = free_port()
    desktop.environment |= {
        # For tests in containers: pages are trusted, and user namespaces may be missing.
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
    }
    for version in ("gtk-3.0", "gtk-4.0"):
        settings = Path(desktop.environment["XDG_CONFIG_HOME"]) / version
        settings.mkdir(exist_ok=True)
        (settings / "gtk.css").write_text(NOTHING_AROUND)
    driver = str(shutil.which("WebKitWebDriver"))
    desktop.start(driver, f"--port={port}")
    options = Options()
    options.binary_location = MINI_BROWSER
    for argument in ("--automation", *arguments):
        options.add_argument(argument)
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: listens(port), 20, "WebKitWebDriver does not answer")
    wire = RemoteConnection(client_config=ClientConfig(remote_server_addr=address))
    return Remote(command_executor=wire, options=options)
