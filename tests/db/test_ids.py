"""New codes, secrets and keys, and those of earlier releases."""

import re

from kaboom.accounts.api_keys.service import is_key, new_key
from kaboom.db.ids import (
    can_be_code,
    can_be_import_code,
    new_code,
    new_import_code,
    new_secret,
)


def test_new_codes_of_each_kind_have_a_fixed_length():
    for _ in range(50):
        code, brought = new_code(), new_import_code()
        assert len(code) == 8 and can_be_code(code) and not can_be_import_code(code)
        assert len(brought) == 20 and can_be_import_code(brought) and not can_be_code(brought)
        assert re.fullmatch(r"[\w-]{32}", new_secret())


def test_codes_with_a_leading_letter_are_still_found():
    assert can_be_code("BAAAABBBB") and can_be_import_code("B" + "A" * 20)
    assert not can_be_code("BBAAAABBBB") and not can_be_import_code("BB" + "A" * 20)


def test_key_is_recognized_by_its_shape_and_checksum():
    key = new_key()
    assert key.startswith("kb_") and is_key(key) and is_key("kbB" + key[2:])
    assert not is_key(key[:-1]) and not is_key("kbBB" + key[2:])
