"""A tiny application with streams: a topic is a file with a number in it."""

import os
import time
from collections.abc import Sequence
from pathlib import Path

from flask import Flask, Response, request

from kaboom.realtime import stream
from kaboom.realtime.hub import Hub, TooManyStreams
from kaboom.realtime.stream import Look


def create_app() -> Flask:
    app = Flask(__name__)
    folder = Path(os.environ["ROOM"])
    hub = Hub(
        os.environ.get("REDIS_URL"),
        limit=int(os.environ.get("LIMIT", "800")),
        channel=os.environ.get("CHANNEL", "kaboom-test"),
    )
    app.extensions["kaboom.hub"] = hub
    stream.HEARTBEAT = float(os.environ.get("HEARTBEAT", "0.5"))
    stream.LIFE = float(os.environ.get("LIFE", "600"))
    rest = float(os.environ.get("REST", "0"))

    def number(topic: str) -> int | None:
        text = (folder / topic).read_text() if (folder / topic).exists() else "0"
        if text == "broken":
            raise RuntimeError("the store is unavailable")
        return None if text == "none" else int(text)

    def looks(topic: str, viewers: Sequence[None]) -> list[Look | None]:
        seen = number(topic)
        return [None if seen is None else Look(seen, rest=rest) for _ in viewers]

    @app.get("/<topic>/events")
    def events(topic: str) -> Response:
        try:
            return stream.events(hub, topic, None, looks, lambda: Look(int(number(topic) or 0)))
        except TooManyStreams:
            return Response("busy", status=503, headers={"Retry-After": "5"})

    @app.get("/<topic>/wait")
    def wait(topic: str) -> str:
        known = int(request.args["known"])
        hub.wait_until(topic, lambda: number(topic) != known, float(request.args["timeout"]))
        return str(number(topic))

    @app.post("/<topic>/<text>")
    def change(topic: str, text: str) -> str:
        """Write a number (or "none", "broken") and publish; return the milliseconds this took."""
        scratch = folder / f".{topic}.{os.getpid()}"
        scratch.write_text(text)
        scratch.rename(folder / topic)
        return publish(topic)

    @app.post("/<topic>")
    def publish(topic: str) -> str:
        began = time.perf_counter()
        hub.publish(topic)
        return str((time.perf_counter() - began) * 1000)

    @app.get("/streams")
    def count() -> str:
        return str(hub.streams)

    @app.get("/pid")
    def pid() -> str:
        return str(os.getpid())

    return app
