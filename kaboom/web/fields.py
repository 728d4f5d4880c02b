"""What people type into forms and addresses, read without surprises."""


def number(text: str | None, otherwise: int = -1, digits: int = 9) -> int:
    """Return a whole number of so many digits at most; `otherwise` for what is none.

    -1 is what nothing has.
    """
    text = text or ""
    readable = text.isascii() and text.isdigit() and len(text) <= digits
    return int(text) if readable else otherwise
