"""Updates the catalogues with the strings in the code, and compiles them.

`make translations` runs it; docs/languages.md explains how. A reworded string keeps its translation
as a draft (`#, fuzzy`, with the previous string), which is not used until a translator has
confirmed it. The translation of a removed string moves to the end of the file (`#~`), where it is
found if the string returns; with --forget it is deleted.
"""

import sys
from collections.abc import Iterable
from copy import deepcopy
from difflib import get_close_matches
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[2]
TRANSLATIONS = ROOT / "kaboom" / "translations"
WIDTH = 96
DRAFT = "Draft, made for:"
ALIKE = 0.6  # similarity of two strings, from 0 to 1, above which one may be the other reworded


def found() -> Catalog:
    """Return every string of the project, in the order of the source files."""
    with (ROOT / "babel.cfg").open(encoding="utf-8") as file:
        methods, options = parse_mapping_cfg(file, "babel.cfg")  # type: ignore[no-untyped-call]
    texts = Catalog()
    for name, line, text, comments, context in extract_from_dir(ROOT, methods, options):
        texts.add(text, None, [(name, line)], auto_comments=comments, context=context)
    return texts


def updated(catalogue: Catalog, texts: Catalog, forget: bool = False) -> Catalog:
    """Return an updated catalogue: `catalogue` itself, changed.

    With `forget`, the translations of removed strings are deleted, unless they become drafts for
    new ones.
    """
    waiting = {key: it for key, it in catalogue.obsolete.items() if it.string}
    # New messages become part of the catalogue, which must not share them with another language's.
    catalogue.update(deepcopy(texts), no_fuzzy_matching=True, update_creation_date=False)
    waiting |= {key: it for key, it in catalogue.obsolete.items() if _said(it)}
    for message in list(catalogue):
        if message.id and not _said(message):
            _draft(message, waiting)
        elif not message.fuzzy and any(it.startswith(DRAFT) for it in message.user_comments):
            message.user_comments = []  # a translator has confirmed it
    catalogue.obsolete.clear()
    if not forget:
        catalogue.obsolete.update(waiting)
    return catalogue


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue in the format of its file."""
    file = BytesIO()
    write_po(file, catalogue, width=WIDTH, no_location=True)
    return file.getvalue()


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue in compiled form, without drafts."""
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def read(path: Path) -> Catalog:
    """Return the catalogue in a file; the path determines its language."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def _draft(message: Message, waiting: dict[Any, Message]) -> None:
    """Give a new string the translation of the same or a very similar removed string."""
    counted = isinstance(message.id, tuple)
    texts = {_text(it): key for key, it in waiting.items() if isinstance(it.id, tuple) == counted}
    close = get_close_matches(_text(message), list(texts), 1, ALIKE)
    if not close:
        return
    old = waiting.pop(texts[close[0]])
    message.string = old.string
    if old.id != message.id:
        message.flags.add("fuzzy")
        message.user_comments = [f"{DRAFT} {' / '.join(_forms(old.id))}"]


def _text(message: Message) -> str:
    return "\n".join(_forms(message.id))


def _said(message: Message) -> bool:
    return any(_forms(message.string))


def _forms(text: str | Iterable[str] | None) -> list[str]:
    return [text] if isinstance(text, str) else list(text or ())


def main(arguments: list[str]) -> None:
    """Update all catalogues, and print how complete each is."""
    texts = found()
    for path in sorted(TRANSLATIONS.glob("*/LC_MESSAGES/messages.po")):
        catalogue = updated(read(path), texts, "--forget" in arguments)
        path.write_bytes(written(catalogue))
        path.with_suffix(".mo").write_bytes(compiled(catalogue))
        messages = [it for it in catalogue if it.id]
        drafts = sum(it.fuzzy for it in messages)
        done = sum(_said(it) and not it.fuzzy for it in messages)
        waits = f", {drafts} drafts (“#, fuzzy”) to review" if drafts else ""
        kept = f", {len(catalogue.obsolete)} of removed texts (“#~”)"
        print(f"{path.parts[-3]}: {done} of {len(messages)} texts{waits}", end="")
        print(kept if catalogue.obsolete else "")


if __name__ == "__main__":
    main(sys.argv[1:])
