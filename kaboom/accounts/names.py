"""Names people give themselves, made fit to appear on a page beside other names."""

import re
import unicodedata
from collections.abc import Iterable

import regex

from kaboom.engine.graphemes import characters
from kaboom.engine.i18n import say
from kaboom.errors import invalid_field

LONGEST = 24  # characters, as people count them
EACH = 3  # code points that a character may have, taken over a whole text

# Control, formatting (which would turn the direction of text around), private and unassigned
# characters, and all spaces. What a joiner does is looked at apart.
STRANGE = regex.compile(r"[\p{C}\p{Z}--[\u200c\u200d\U000e0000-\U000e007f]]", regex.V1)
# What is drawn as nothing at all, and what makes one sign of several.
UNSEEN = r"[\p{DI}\u2800\U000e0000-\U000e007f]"
# Where the latter belongs: within an emoji, a key, the flag of a part of a country; after an
# ideograph of which there are several forms; and where a script needs it to join its letters or to
# keep them apart (RFC 5892, A.1 and A.2).
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
# Marks that pile up into the lines above and below: the same one again, more than two accents that
# any letter may have, and more marks than any script puts on one letter.
PILED = regex.compile(
    r"(\p{M})\1+"
    r"|([\p{Script=Inherited}&&\p{Mn}]{2})[\p{Script=Inherited}&&\p{Mn}]+"
    r"|(\p{M}{6})\p{M}+",
    regex.V1,
)
DRAWN_AS_NOTHING = regex.compile(UNSEEN)

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


def cleaned(text: str, longest: int = LONGEST, points: int = 0) -> str:
    """Return a text in NFC, without what turns it around or is hidden in it, cut to so many
    characters, and so many code points (0: three for each character).

    What makes one character of several code points stays; accents piled upon accents do not.
    """
    points = points or EACH * longest
    while (kept := _cut(_shown(text), longest, points)) != text:
        text = kept  # what was taken away may have been what a joiner stood for
    return kept


def fits(text: str, longest: int, points: int = 0) -> bool:
    """Say whether a text is short enough to be kept whole by `cleaned`."""
    return len(text) <= (points or EACH * longest) and len(characters(text)) <= longest


def units(longest: int = LONGEST, points: int = 0) -> int:
    """Return the `maxlength` of a field for such a text: browsers count UTF-16 units, of which an
    emoji's code points have two each. With less, a browser would tear what is allowed.
    """
    return 2 * (points or EACH * longest)


def _shown(text: str) -> str:
    """Return a text without what cannot be seen, one plain space between two words."""
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
    plain = unicodedata.normalize("NFKC", DRAWN_AS_NOTHING.sub("", name))
    folded = plain.casefold()
    return {folded, skeleton(plain), skeleton(folded)}


def skeleton(name: str) -> str:
    """Return a name without spaces and small marks, each letter as the plainest one like it."""
    text = DRAWN_AS_NOTHING.sub("", name).translate(DOUBLES).casefold()
    for two, one in TOGETHER:
        text = text.replace(two, one)
    return re.sub(r"[\s.,'’‘`´_·-]", "", text) or name


def require_readable_name(name: str, field: str = "name") -> str:
    """Return a name as it is shown; raises InvalidFields when nothing readable is left of it."""
    shown = cleaned(name)
    if not shown:
        raise invalid_field(field, say("Please give a name the others can read."))
    return shown
