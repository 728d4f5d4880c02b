"""Debian's WebKitGTK, the engine of Safari, in its MiniBrowser, asked over WebDriver."""

import shutil
from pathlib import Path
from typing import Any

from tests.engines.desktop import Desktop, listens, wait_until
from tests.server import free_port

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
        # For tests in containers: pages are ours alone, and there may be no user namespaces.
        "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
        "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
    }
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
