"""Tells the host in the log which setting may be wrong, if only players would notice."""

import logging

from flask import current_app

log = logging.getLogger(__name__)


def advise(setting: str, sentence: str, *values: object) -> None:
    """Say so once in the life of this process: strangers can make it happen as often as they like.

    `values` stand in the sentence; what a client sent should be cut (`%.99r`).
    """
    said: set[str] = current_app.extensions.setdefault("kaboom.advice", set())
    if setting not in said:
        said.add(setting)
        log.warning(sentence, *values)
