"""OpenTelemetry traces: off unless the library is installed and an exporter is set
(docs/hosting.md).

A span has the kind of work, the game, the route, the tables of a statement, counts and a status. It
has no names, keys, codes, addresses, moves or cards, and therefore no statement values, paths or
error messages.
"""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import copy_context
from functools import cache, partial
from importlib.util import find_spec
from typing import Any

log = logging.getLogger(__name__)

NAME = "kaboom"
NOTHING = nullcontext()
ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
TABLES = re.compile(r"\b(?:FROM|INTO|UPDATE|JOIN)\s+(\w+)", re.IGNORECASE)

_tracer: Any = None  # OpenTelemetry's tracer; None: no traces


def wanted(environ: Mapping[str, str]) -> bool:
    """Return True if the standard variables request traces."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return False
    exporter = environ.get("OTEL_TRACES_EXPORTER", "")
    return exporter != "none" and bool(exporter or any(map(environ.get, ENDPOINTS)))


def start(environ: Mapping[str, str]) -> None:
    """Send traces as the standard variables specify; without them, or the library, do nothing."""
    if _tracer is not None or not wanted(environ):
        return
    if not find_spec("opentelemetry") or not find_spec("opentelemetry.sdk"):
        log.warning("OTEL_ variables are set, but kaboom-cardroom[traces] is not installed")
        return
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter

    if environ.get("OTEL_TRACES_EXPORTER") == "console":
        exporter: Any = ConsoleSpanExporter()
    else:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter

        exporter = OTLPSpanExporter()
    named = {} if environ.get("OTEL_SERVICE_NAME") else {"service.name": NAME}
    provider = TracerProvider(resource=Resource.create(named))
    provider.add_span_processor(BatchSpanProcessor(exporter))
    use(provider)


def use(provider: Any) -> None:
    """Send spans to an OpenTelemetry provider; None turns traces off."""
    global _tracer
    _tracer = provider and provider.get_tracer(NAME)


def on() -> bool:
    """Return True if spans are recorded."""
    return _tracer is not None


def span(name: str, **attributes: str | int) -> AbstractContextManager[Any]:
    """Record a span around some work; it yields the span, or None."""
    if _tracer is None:
        return NOTHING
    return _recorded(name, {f"{NAME}.{key}": value for key, value in attributes.items()})


@contextmanager
def _recorded(name: str, attributes: Mapping[str, str | int]) -> Iterator[Any]:
    # The message of an error may name a player or a card, so only its type is recorded.
    quiet = {"record_exception": False, "set_status_on_exception": False}
    with _tracer.start_as_current_span(name, attributes=attributes, **quiet) as found:
        try:
            yield found
        except Exception as error:
            found.set_attribute("error.type", type(error).__name__)
            raise


def statement(text: str) -> AbstractContextManager[Any]:
    """Record a span around a statement, named after its first word and its tables."""
    return NOTHING if _tracer is None else _recorded(summary(text), {"db.system.name": "sql"})


@cache
def summary(text: str) -> str:
    """Return the action of a statement and its tables, such as "SELECT players keys"."""
    words = text.split(None, 1)
    return " ".join([words[0].upper() if words else "", *dict.fromkeys(TABLES.findall(text))])


def carried(work: Callable[..., Any]) -> Callable[..., Any]:
    """Return `work` wrapped so that its spans belong to the current one, even in another thread."""
    return work if _tracer is None else partial(copy_context().run, work)


def begin(name: str, attributes: Mapping[str, str | int]) -> Callable[[int], None]:
    """Begin the span of a request, and return a function that ends it with a status."""
    from opentelemetry import context, trace

    kind = trace.SpanKind.SERVER
    # A client's own trace is not continued: it could make us record spans that are not sampled.
    found = _tracer.start_span(name, context.Context(), kind=kind, attributes=attributes)
    token = context.attach(trace.set_span_in_context(found))

    def end(status: int) -> None:
        found.set_attribute("http.response.status_code", status)
        if status >= 500:
            found.set_status(trace.StatusCode.ERROR)
        found.end()
        context.detach(token)

    return end
