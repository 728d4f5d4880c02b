"""What programs send: JSON with the same fields as the forms, so that every door takes both."""

from collections.abc import Mapping

from flask import Flask, request
from msgspec import DecodeError, ValidationError
from msgspec.json import Decoder
from werkzeug.datastructures import ImmutableMultiDict
from werkzeug.exceptions import BadRequest, UnsupportedMediaType

from kaboom.engine.i18n import say
from kaboom.errors import InvalidFields
from kaboom.web.api.negotiation import FORMS, by_page, voice
from kaboom.web.api.sent import door_at, sight_at, wrong_in, wrong_questions

Scalar = str | int | float | bool | None
MOST = 200  # fields, as of a form
FEW = 1e9  # beyond that no field is a number

_decoder = Decoder(dict[str, Scalar | list[str | int]])


def init_app(app: Flask) -> None:
    """Let every door take JSON as well as a form."""
    app.before_request(read)


def read() -> None:
    """Give a request whose body is JSON the form that it stands for; raises an HTTP error."""
    if request.method != "POST":
        refuse_what_cannot_be_asked()
    elif request.mimetype == "application/json":
        request.form = fields_of(request.get_data())
        refuse_what_cannot_be(request.form)
    elif request.mimetype not in FORMS and not by_page() and request.get_data():
        raise UnsupportedMediaType(say("Send a form or JSON."))


def refuse_what_cannot_be_asked() -> None:
    """Raise InvalidFields for a question in an address, in another voice than HTML, that cannot be
    asked there: whoever misspells one would be told something else and not know why.
    """
    if not request.args or request.url_rule is None or by_page():
        return
    sight = sight_at(request.url_rule.rule, voice())
    if sight is not None and (wrong := wrong_questions(sight, request.args)):
        raise InvalidFields(
            say("This cannot be asked here: {fields}.", fields=", ".join(wrong)), wrong
        )


def refuse_what_cannot_be(form: ImmutableMultiDict[str, str]) -> None:
    """Raise InvalidFields for JSON that holds what its door does not take: a program that misspells
    a field would otherwise never know.
    """
    door = door_at(request.url_rule.rule) if request.url_rule else None
    if door is not None and (wrong := wrong_in(door, form)):
        wrong = {**door.others(form), **wrong} if door.others else wrong
        raise cannot_be_sent(wrong)


def cannot_be_sent(wrong: Mapping[str, str]) -> InvalidFields:
    """Return the refusal of fields, with what is wrong by name."""
    return InvalidFields(say("This cannot be sent here: {fields}.", fields=", ".join(wrong)), wrong)


def fields_of(body: bytes) -> ImmutableMultiDict[str, str]:
    """Return the fields of a form that a JSON object stands for; raises BadRequest.

    Yes and no are 1 and 0, null is a field that is not sent, a list is a field sent several times,
    2.0 is 2.
    """
    try:
        sent = _decoder.decode(body or b"{}")
    except (DecodeError, ValidationError, UnicodeDecodeError, RecursionError):
        raise BadRequest(say("Send a JSON object of texts, numbers, yes and no.")) from None
    if len(sent) > MOST:
        raise BadRequest(say("Those are more fields than any form has."))
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
