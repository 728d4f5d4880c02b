"""Logs, once per process, that a setting may be wrong."""

import logging

from flask import current_app

log = logging.getLogger(__name__)


def advise(setting: str, sentence: str, *values: object) -> None:
    """Log a sentence once per process, because strangers could repeat its cause.

    `values` are inserted into the sentence; text from a client should be truncated (`%.99r`).
    """
    said: set[str] = current_app.extensions.setdefault("kaboom.advice", set())
    if setting not in said:
        said.add(setting)
        log.warning(sentence, *values)
