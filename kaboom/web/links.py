"""Links that leave the page they stand on: absolute addresses, and their QR codes."""

from functools import lru_cache
from typing import Any

import segno
from flask import current_app, url_for


def invitation(code: str) -> str:
    """Return the absolute link of a table."""
    return absolute("table.show", code=code)


def absolute(endpoint: str, **values: Any) -> str:
    """Return an address with its host: that of PUBLIC_URL, or the one the browser asked for."""
    public: str = current_app.config["SERVER"].public_url
    if public:
        return public + url_for(endpoint, **values)
    return url_for(endpoint, **values, _external=True)


def asking(address: str, query: str) -> str:
    """Return an address with one more query, which is written as it must stand there."""
    return f"{address}{'&' if '?' in address else '?'}{query}"


def qr_code(text: str) -> str:
    """Return a link, or words, as a QR code, for the source of an image: a dot a module, which the
    style sheet enlarges without blurring. As a drawing of paths it would be a third longer.
    """
    return segno.make(text, error="m").png_data_uri(border=2)


# Of links that many are shown: a table is drawn again for everyone who sits down. Secrets are not
# kept.
qr_code_of_table = lru_cache(maxsize=1000)(qr_code)
