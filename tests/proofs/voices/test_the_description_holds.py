"""Whatever the description allows is answered as it says: by a judge that read nothing else."""

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.counts import LONG, often
from tests.unit.web.voices.programs import Program, at_table

CASES = often(1, soak=20)  # of each way to ask and each key
CHECKS = (
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
)


def test_every_case_is_answered_as_described(app):
    schema = schemathesis.openapi.from_wsgi("/openapi.json", app)
    asked = 0
    for number, found in enumerate(schema.get_all_operations()):
        operation = found.ok()
        if operation.path.endswith((".ndjson", "/events")):
            continue  # they do not end
        ann, ben = Program(app), Program(app)
        path = at_table("gops", ann, ben)
        keys = [ann.cookies, "kb=nobody", ""]
        for cookie in keys if LONG else keys[number % 3 :][:1]:
            asked += asking(operation, path.removeprefix("/t/"), cookie)
    assert asked >= (1500 if LONG else 30)
    print(f"{asked} cases")


def asking(operation, code, cookie):
    """Ask at an address what its description allows; return how often."""
    asked = 0

    @settings(
        max_examples=CASES,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def holds(case):
        nonlocal asked
        asked += 1
        if case.path_parameters:
            case.path_parameters["code"] = code
        headers = {"Accept": "application/json"} if case.method == "POST" else {}
        headers |= {"Cookie": cookie} if cookie else {}
        case.call_and_validate(headers=headers, checks=CHECKS)

    holds()
    return asked
