"""The OpenAPI 3.1 description of the API, generated from the operations that rooms register.

It describes JSON only. HTML forms have the same fields, and the responses to them are pages.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from inspect import cleandoc
from typing import Any

from msgspec.json import schema_components

from kaboom.engine.codec import from_json, to_json
from kaboom.web.api.operations import (
    PLAIN,
    TEXT,
    WHOLE,
    GetOperation,
    PostOperation,
    get_operations,
    parts,
    post_operations,
    shapes,
    tags,
)
from kaboom.web.api.problems import KINDS
from kaboom.web.api.schemas import VERSION
from kaboom.web.api.scopes import NEVER

ERRORS = (400, 401, 403, 404, 422, 429, 500, 503)
OF_A_POST = (409, 413, 415)

ONCE = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "pattern": "^[!-~]{1,200}$"},
    "description": "A request repeated with the same key within a day counts only once.",
}

KNOWN = {
    "name": "If-None-Match",
    "in": "header",
    "required": False,
    "schema": TEXT,
    "description": "The ETag of your copy.",
}


@cache
def document() -> dict[str, Any]:
    """Return the OpenAPI document."""
    _, schemas = schema_components(shapes(), ref_template="#/components/schemas/{name}")
    for schema in schemas.values():  # fields may be added to any response
        schema.pop("additionalProperties", None)
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
    paths: dict[str, dict[str, Any]] = {}
    for read in get_operations():
        paths.setdefault(read.path, {})["get"] = _get(read)
    for operation in post_operations():
        paths.setdefault(operation.path, {})["post"] = _post(operation)
    found: dict[str, Any] = {
        "openapi": "3.1.0",
        "info": {
            "title": "Kaboom",
            "version": str(VERSION),
            "summary": "A card room in a link.",
            "description": "Version 1 is guaranteed: fields are added, never renamed or removed.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "tags": [{"name": tag.name, "description": tag.description} for tag in tags()],
        "security": [{}, {"cookie": []}, {"key": []}],
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": "kb"},
                "key": {"type": "http", "scheme": "bearer"},
            },
            "responses": {
                "Problem": _problem("application/problem+json", _ref("Problem")),
                "Refused": _problem(PLAIN, TEXT),
                "Unchanged": {"description": "Not modified since this `If-None-Match`."},
            },
        },
    }
    return from_json(to_json(found), dict)  # as programs read it, with lists for tuples


def _get(operation: GetOperation) -> dict[str, Any]:
    schema = _ref(operation.answer) if operation.answer else TEXT
    query = [
        {"name": name, "in": "query", "required": False, "schema": _bare(value)} | _described(value)
        for name, value in operation.query.items()
    ]
    answer = {"description": operation.summary, "content": {operation.media: {"schema": schema}}}
    known = {"304": {"$ref": "#/components/responses/Unchanged"}} if operation.etag else {}
    return {
        "summary": operation.summary,
        "operationId": operation.name,
        "tags": [operation.tag],
        "parameters": [*_path(operation.path), *query, *([KNOWN] if operation.etag else ())],
        "responses": {"200": answer} | known | dict(_errors(media=operation.media)),
        "security": _security(operation.scope),
    }


def _post(operation: PostOperation) -> dict[str, Any]:
    body: dict[str, Any] = {"type": "object", "properties": dict(operation.fields)}
    body["additionalProperties"] = (
        {"type": ["string", "number", "boolean"]} if operation.open else False
    )
    if operation.must:
        body["required"] = list(operation.must)
    answer = {
        "description": "Done",
        "content": {"application/json": {"schema": _ref(operation.answer)}},
    }
    return {
        "summary": operation.summary,
        "operationId": operation.name,
        "tags": [operation.tag],
        "parameters": [*_path(operation.path), ONCE],
        "requestBody": {
            "required": bool(operation.must),
            "content": {"application/json": {"schema": body}},
        },
        "responses": {str(operation.status): answer} | dict(_errors(*OF_A_POST)),
        "security": _security(operation.scope),
    }


def _security(scope: str) -> list[dict[str, list[str]]]:
    """Return the security requirements of an operation: a cookie, or a key with its scope; an empty
    list for an operation that creates a key.
    """
    if scope == NEVER:
        return []
    return [{}, {"cookie": []}, {"key": [scope] if scope else []}]


def _errors(*more: int, media: str = "") -> Iterator[tuple[str, dict[str, str]]]:
    name = "Refused" if media == PLAIN else "Problem"
    for status in sorted((*ERRORS, *more)):
        yield str(status), {"$ref": f"#/components/responses/{name}"}


def _problem(media: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "description": "Nothing has changed: " + ", ".join(f"/problems/{slug}" for slug in KINDS),
        "headers": {
            "Retry-After": {"schema": WHOLE, "description": "Seconds to wait, with 429 and 503."}
        },
        "content": {media: {"schema": schema}},
    }


def _path(path: str) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in parts.items()
        if f"{{{name}}}" in path
    ]


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in schema.items() if name != "description"}


def _described(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {"description": schema["description"]} if "description" in schema else {}
