"""Names people give themselves, made fit to appear on a page beside other names."""

import re
import secrets
import unicodedata
from collections.abc import Iterable

LONGEST = 24
# Letters, marks, numbers, punctuation, symbols and the plain space; no control, no formatting
# (which would turn the direction of text around), no private or unassigned characters.
ALLOWED = {"L", "M", "N", "P", "S"}
# Letters, marks and symbols that are drawn as nothing at all.
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
# Accents: two on a letter are enough for any language; more would pile up into the next line.
PILED = re.compile(
    "([\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]{2})"
    "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0]+"
)

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"  # none that look alike
CODE_LENGTH = 8  # of a table, a record, a tournament or a club
IMPORT_CODE = 20  # of a record from elsewhere: only somebody given the link finds it

# A letter and, after it, what is mistaken for it at a glance: Cyrillic, Greek, Armenian, Cherokee
# and phonetic letters, and digits. Capitals are listed separately, for in some pairs only they look
# alike.
ALIKE = """
a аɑα  A АΑᎪ  b Ьƅ  B ВΒᏴ  c сϲᴄ  C СϹᏟⲤ  d ԁɗᏧ  D Ꭰ  e еєҽ  E ЕΕᎬ  f ƒ  F Ϝ  g ɡցգ  G ԌᏀ
h һհᏂ  H НΗᎻ  i іıɩιӏ  j јϳ  J ЈᎫ  k кκᴋ  K КΚᏦ  l IІΙӀ1|ǀ∣Ɩ  L ᏞⅬ  m мᴍ  M МΜᎷ
n ոηп  N ΝⲚ  o оοօσ0ОΟՕ੦०૦௦౦೦൦໐๐၀០ᴏ  p рρⲣ  P РΡᏢ  q ԛգ  Q Ԛ  r гᴦ  R ᎡᏒ  s ѕꜱ  S ЅՏᏚ
t тτᴛ  T ТΤᎢ  u υսᴜ  U ՍႮ  v νѵᴠ  V ѴᏙ  w ԝѡᴡա  W ԜᏔ  x хχ×  X ХΧ  y уγүყ  Y УΥҮᎩ  z ᴢ  Z ΖᏃ
"""
DOUBLES = {ord(c): pair[0] for pair in re.findall(r"(\S) (\S+)", ALIKE) for c in pair[1]}
# Two letters that together look like one, once all is in lower case.
TOGETHER = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def new_code(hall: str = "") -> str:
    """Return a fresh code, for the link of a table or of a match's record.

    In another hall than the first its letter stands before it: the same code can be in no two.
    """
    return hall + "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


def new_import_code(hall: str = "") -> str:
    """Return a fresh code for a record from elsewhere."""
    return hall + "".join(secrets.choice(CODE_LETTERS) for _ in range(IMPORT_CODE))


def can_be_code(text: str) -> bool:
    """Say whether a text can be the code of a table, a record or a tournament, in any hall."""
    return re.fullmatch(rf"[A-Z0-9]{{{CODE_LENGTH},{CODE_LENGTH + 1}}}", text) is not None


def can_be_import_code(text: str) -> bool:
    """Say whether a text can be the code of a record from elsewhere, in any hall."""
    return re.fullmatch(rf"[A-Z0-9]{{{IMPORT_CODE},{IMPORT_CODE + 1}}}", text) is not None


def hall_of(code: str) -> str:
    """Return the letter of the hall a code belongs to; empty for one of the first hall."""
    return code[0] if len(code) in (CODE_LENGTH + 1, IMPORT_CODE + 1) else ""


def cleaned(name: str, longest: int = LONGEST) -> str:
    """Return the text in NFC, without control and formatting characters, cut to that length.

    Invisible characters and accents piled upon accents are left out too.
    """
    text = UNSEEN.sub("", name)
    text = "".join(c if unicodedata.category(c)[0] in ALLOWED else " " for c in text)
    kept = unicodedata.normalize("NFC", PILED.sub(r"\1", unicodedata.normalize("NFC", text)))
    return " ".join(kept.split())[:longest].strip()


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, followed by a number if somebody at the table has one that looks alike."""
    taken = {look for other in others for look in looks(other)}
    number, apart = 1, name
    while taken & looks(apart):
        number += 1
        apart = f"{name} {number}"
    return apart


def looks(name: str) -> set[str]:
    """Return what a name looks like; two names that share a look can be mistaken for each other.

    In lower case, and by the shapes of its letters, both as it stands and in lower case: "I" looks
    like "l" as it stands, and like "i" in lower case.
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    return {folded, skeleton(unicodedata.normalize("NFKC", name)), skeleton(folded)}


def skeleton(name: str) -> str:
    """Return a name without spaces and small marks, each letter as the plainest one like it."""
    text = name.translate(DOUBLES).casefold()
    for two, one in TOGETHER:
        text = text.replace(two, one)
    return re.sub(r"[\s.,'’‘`´_·-]", "", text) or name
