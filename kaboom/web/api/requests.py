"""JSON requests: the same fields as the forms, so that every endpoint takes both."""

from collections.abc import Mapping

from flask import Flask, request
from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from kaboom.engine.i18n import gettext as _
from kaboom.errors import InvalidFields
from kaboom.web.api.negotiation import FORMS, response_format, wants_html
from kaboom.web.api.sent import field_errors, get_operation_at, parameter_errors, post_operation_at

Scalar = str | int | float | bool | None
MOST = 200  # maximum number of fields, as in a form
FEW = 1e9  # no field takes a larger number

_decoder = Decoder(dict[str, Scalar | list[str | int]])


def init_app(app: Flask) -> None:
    """Accept JSON as well as forms at every endpoint."""
    app.before_request(read)


def read() -> None:
    """Convert a JSON body to form fields, and check its fields and the query parameters."""
    if request.method != "POST":
        refuse_wrong_parameters()
    elif request.mimetype == "application/json":
        request.form = fields_of(request.get_data())
        refuse_wrong_fields(request.form)
    elif request.mimetype not in FORMS and not wants_html() and request.get_data():
        raise UnsupportedMediaType(_("Send a form or JSON."))


def refuse_wrong_parameters() -> None:
    """Raise InvalidFields if a described query parameter has an invalid value, for a format other
    than HTML.

    A program that sends one would otherwise get the wrong answer without knowing why.
    """
    if not request.args or request.url_rule is None or wants_html():
        return
    operation = get_operation_at(request.url_rule.rule, response_format())
    if operation is not None and (wrong := parameter_errors(operation, request.args)):
        raise InvalidFields(
            _("Invalid values of query parameters: {fields}.", fields=", ".join(wrong)), wrong
        )


def refuse_wrong_fields(form: ImmutableMultiDict[str, str]) -> None:
    """Raise InvalidFields for unknown or invalid fields in a JSON body.

    A program that misspells one would otherwise not notice.
    """
    operation = post_operation_at(request.url_rule.rule) if request.url_rule else None
    if operation is not None and (wrong := field_errors(operation, form)):
        wrong = {**operation.others(form), **wrong} if operation.others else wrong
        raise invalid_fields(wrong)


def invalid_fields(wrong: Mapping[str, str]) -> InvalidFields:
    """Return the InvalidFields error for these sentences by field."""
    return InvalidFields(_("Invalid fields: {fields}.", fields=", ".join(wrong)), wrong)


def fields_of(body: bytes) -> ImmutableMultiDict[str, str]:
    """Return a JSON object as form fields; raises BadRequest.

    true and false become 1 and 0, null is left out, a list becomes a field sent several times, and
    2.0 becomes 2.
    """
    try:
        sent = _decoder.decode(body or b"{}")
    except (DecodeError, ValidationError, UnicodeDecodeError, RecursionError):
        raise BadRequest(_("Send a JSON object of strings, numbers and booleans.")) from None
    if len(sent) > MOST:
        raise BadRequest(_("That is too many fields."))
    fields: list[tuple[str, str]] = []
    for name, value in sent.items():
        if isinstance(value, list):
            fields += [(name, str(each)) for each in value]
        elif value is not None:
            fields.append((name, _text_of(value)))
    return ImmutableMultiDict(fields)


def _text_of(value: str | int | float | bool) -> str:
    whole = isinstance(value, bool) or (isinstance(value, float) and abs(value) < FEW)
    return str(int(value)) if whole and value == int(value) else str(value)
