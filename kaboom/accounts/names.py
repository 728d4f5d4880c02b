"""Cleans names and other input, so that they fit on a page and no name looks like another."""

import re
import unicodedata
from collections.abc import Iterable

import regex

from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import gettext as _
from kaboom.errors import invalid_field

LONGEST = 24  # characters as perceived by users (grapheme clusters)
EACH = 3  # code points per character, on average over a text

# Control, formatting (including changes of text direction), private and unassigned characters, and
# all spaces. Joiners are handled separately.
STRANGE = regex.compile(r"[\p{C}\p{Z}--[\u200c\u200d\U000e0000-\U000e007f]]", regex.V1)
# Invisible characters, and those that combine several characters into one.
UNSEEN = r"[\p{DI}\u2800\U000e0000-\U000e007f]"
# The latter are allowed in an emoji, a keycap and a subdivision flag; after an ideograph with
# variants; and where a script needs them to join letters or keep them apart (RFC 5892, A.1 and
# A.2).
EMOJI = r"\p{Extended_Pictographic}(?:\p{EMod}|[\ufe0e\ufe0f])?"
JOINED = rf"""
    \U0001f3f4 [\U000e0030-\U000e0039\U000e0061-\U000e007a]{{3,6}} \U000e007f
    | {EMOJI} (?: \u200d {EMOJI} )*
    | [0-9\#*] \ufe0f? \u20e3
    | \p{{Script=Han}} [\ufe00-\ufe02\U000e0100-\U000e01ef]
    | (?<= \p{{ccc=Virama}} ) [\u200c\u200d]
    | (?<= [\p{{jt=D}}\p{{jt=L}}] \p{{jt=T}}* ) \u200c (?= \p{{jt=T}}* [\p{{jt=D}}\p{{jt=R}}] )
"""
HIDDEN = regex.compile(rf"({JOINED}) | {UNSEEN}", regex.VERBOSE)
# Combining marks that would overlap other lines: a repeated mark, more than two general accents,
# and more marks than any script puts on one letter.
PILED = regex.compile(
    r"(\p{M})\1+"
    r"|([\p{Script=Inherited}&&\p{Mn}]{2})[\p{Script=Inherited}&&\p{Mn}]+"
    r"|(\p{M}{6})\p{M}+",
    regex.V1,
)
DRAWN_AS_NOTHING = regex.compile(UNSEEN)

# A letter followed by its lookalikes: Cyrillic, Greek, Armenian, Cherokee and phonetic letters, and
# digits. Capitals are listed separately, because in some pairs only the capitals look alike.
ALIKE = """
a аɑα  A АΑᎪ  b Ьƅ  B ВΒᏴ  c сϲᴄ  C СϹᏟⲤ  d ԁɗᏧ  D Ꭰ  e еєҽ  E ЕΕᎬ  f ƒ  F Ϝ  g ɡցգ  G ԌᏀ
h һհᏂ  H НΗᎻ  i іıɩιӏ  j јϳ  J ЈᎫ  k кκᴋ  K КΚᏦ  l IІΙӀ1|ǀ∣Ɩ  L ᏞⅬ  m мᴍ  M МΜᎷ
n ոηп  N ΝⲚ  o оοօσ0ОΟՕ੦०૦௦౦೦൦໐๐၀០ᴏ  p рρⲣ  P РΡᏢ  q ԛգ  Q Ԛ  r гᴦ  R ᎡᏒ  s ѕꜱ  S ЅՏᏚ
t тτᴛ  T ТΤᎢ  u υսᴜ  U ՍႮ  v νѵᴠ  V ѴᏙ  w ԝѡᴡա  W ԜᏔ  x хχ×  X ХΧ  y уγүყ  Y УΥҮᎩ  z ᴢ  Z ΖᏃ
"""
DOUBLES = {ord(c): pair[0] for pair in re.findall(r"(\S) (\S+)", ALIKE) for c in pair[1]}
# Pairs of lower-case letters that look like one letter.
TOGETHER = (("rn", "m"), ("vv", "w"), ("cl", "d"))


def cleaned(text: str, longest: int = LONGEST, points: int = 0) -> str:
    """Return a text in NFC without direction changes or invisible characters, truncated to
    `longest` characters and `points` code points (0: three per character).

    Sequences that form one character are kept; piles of combining marks are reduced.
    """
    points = points or EACH * longest
    while (kept := _cut(_shown(text), longest, points)) != text:
        text = kept  # a removed character may have been needed by a joiner
    return kept


def fits(text: str, longest: int, points: int = 0) -> bool:
    """Return True if `cleaned` does not truncate the text."""
    return len(text) <= (points or EACH * longest) and len(characters(text)) <= longest


def units(longest: int = LONGEST, points: int = 0) -> int:
    """Return the `maxlength` of an input field for a text of at most this length.

    Browsers count UTF-16 code units: each code point of an emoji counts as two. A smaller limit
    could cut an allowed character in half.
    """
    return 2 * (points or EACH * longest)


def _shown(text: str) -> str:
    """Return a text without invisible characters, with single spaces between words."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = unicodedata.normalize("NFC", STRANGE.sub(" ", text))
    text = PILED.sub(lambda found: found[1] or found[2] or found[3], text)
    text = HIDDEN.sub(lambda found: found[1] or "", text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def _cut(text: str, longest: int, points: int) -> str:
    kept, room = [], points
    for character in characters(text)[:longest]:
        room -= len(character)
        if room < 0:
            break
        kept.append(character)
    return "".join(kept).strip()


def told_apart(name: str, others: Iterable[str]) -> str:
    """Return the name, with a number appended if another name at the table looks like it."""
    taken = {look for other in others for look in canonical(other)}
    number, apart = 1, name
    while taken & canonical(apart):
        number += 1
        apart = f"{name} {number}"
    return apart


def canonical(name: str) -> set[str]:
    """Return the lookalike forms of a name; two names that share one can be confused.

    The forms are the name in lower case, and the shapes of its letters before and after
    lower-casing: "I" looks like "l", but "i" does not.
    """
    plain = unicodedata.normalize("NFKC", DRAWN_AS_NOTHING.sub("", name))
    folded = plain.casefold()
    return {folded, skeleton(plain), skeleton(folded)}


def skeleton(name: str) -> str:
    """Return a name without spaces or small marks, with the simplest lookalike of each letter."""
    text = DRAWN_AS_NOTHING.sub("", name).translate(DOUBLES).casefold()
    for two, one in TOGETHER:
        text = text.replace(two, one)
    return re.sub(r"[\s.,'’‘`´_·-]", "", text) or name


def require_readable_name(name: str, field: str = "name") -> str:
    """Return the cleaned name. Raises InvalidFields if no visible character is left."""
    shown = cleaned(name)
    if not shown:
        raise invalid_field(field, _("A name needs at least one visible character."))
    return shown
