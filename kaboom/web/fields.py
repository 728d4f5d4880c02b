"""Reads what people type into forms and addresses, without surprises."""


def number(text: str | None, otherwise: int = -1, digits: int = 9) -> int:
    """Return a whole number of at most so many digits; `otherwise` if the text is not one.

    -1 matches nothing.
    """
    text = text or ""
    readable = text.isascii() and text.isdigit() and len(text) <= digits
    return int(text) if readable else otherwise
