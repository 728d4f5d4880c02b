"""Links as QR codes."""

from functools import lru_cache
from io import BytesIO

import segno


def qr_code(text: str) -> str:
    """Return a link, or another text, as a QR code for the source of an image.

    Each module is one pixel, which the style sheet enlarges without blurring. A picture made of
    paths would be a third longer.
    """
    return segno.make(text, error="m").png_data_uri(border=2)


# Links shown to many viewers are cached: a table is rendered again for every player who sits down.
# Secrets are not cached.
qr_code_of_table = lru_cache(maxsize=1000)(qr_code)


def qr_code_svg(text: str) -> bytes:
    """Return a text as a QR code in an SVG file, to print or enlarge."""
    file = BytesIO()
    image = segno.make(text, error="m")
    image.save(file, kind="svg", xmldecl=False, scale=4, border=2, dark="#000", light="#fff")
    return file.getvalue()
