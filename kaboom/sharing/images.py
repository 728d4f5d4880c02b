"""Draws the previews of table links and the app icons.

The only text in them is a game's name, and nothing reveals a player or a card in a hand. Each
picture is drawn at twice its size and scaled down, which smooths its edges.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from math import cos, pi, sin

from PIL import Image, ImageDraw, ImageFont

from kaboom.engine.toolkit.cards import JOKERS, SUITS, Card
from kaboom.engine.views import DOWN

ROOM = "Kaboom"
WIDTH, HEIGHT = 1200, 630  # the size that messengers request
TWICE = 2
MOST_CHAIRS = 10  # two lines of seats
COLOURS = 128  # enough for smooth edges; keeps the file small

# The colours of the pages; see static/web/base.css.
FELT, GLOW, RIM, BRIGHT = "#2c5a55", "#345f5a", "#1d413e", "#f4f8f1"
PAPER, FACE, FRAME, BACK, BACK_LINE = "#f4efe4", "#fffdf6", "#b9b19d", "#9c3426", "#f8ecd6"
ACCENT, BOOM = "#ffb52e", "#d9472b"
INKS = {"S": "#10131c", "H": "#c8185a", "D": "#0a57b5", "C": "#855700"}
INKS |= {"BJ": INKS["S"], "RJ": INKS["H"]}
SIGNS = {"T": "10"}

Point = tuple[float, float]
Shape = list[Point]


def invitation(name: str, cards: Sequence[Card], taken: int = 0, seats: int = 0) -> bytes:
    """Return a PNG of 1200 x 630 pixels: a game's name, cards, and seats if there are any."""
    picture = Image.new("RGB", (WIDTH * TWICE, HEIGHT * TWICE), RIM)
    pen = ImageDraw.Draw(picture)
    pen.rounded_rectangle(_scaled([(28, 28), (WIDTH - 28, HEIGHT - 28)]), 96 * TWICE, FELT)
    pen.polygon(_scaled(star(870, 325, 270, 190, 24)), GLOW)
    pen.polygon(_scaled(star(128, 140, 44, 28, 16)), BOOM)
    if name != ROOM:
        _write(pen, 188, 140, ROOM, _font(52))
    _write(pen, 84, 305, name, _fitting(name, 490))
    for number in range(seats):
        _chair(pen, 116 + 88 * (number % 5), 425 + 88 * (number // 5), number < taken)
    for number, card in enumerate(cards):
        lean = number - (len(cards) - 1) / 2
        _lay(picture, _card(card), 870 + 84 * lean, 325 + 9 * lean * lean, -9 * lean)
    return _png(picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS))


def icon(size: int, room: float = 0.0) -> Image.Image:
    """Return the app icon, `size` pixels wide.

    With `room`, it is drawn on a paper background with that share of the size as a margin, for
    systems that crop icons to a shape; without it, the background is transparent.
    """
    wide = size * 4
    ground = PAPER if room else (0, 0, 0, 0)
    picture = Image.new("RGBA", (wide, wide), ground)
    reach = wide * (0.5 - room)
    shape = star(wide / 2, wide / 2, reach, reach * 0.62, 16)
    ImageDraw.Draw(picture).polygon(shape, BOOM)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def icon_png(size: int, room: float = 0.0) -> bytes:
    """Return the app icon as a PNG."""
    return _png(icon(size, room))


def icon_ico() -> bytes:
    """Return the app icon as /favicon.ico."""
    return _saved(icon(48), "ICO")


def star(x: float, y: float, far: float, near: float, points: int) -> Shape:
    """Return the corners of a star around a point, the first one straight up."""
    turns = [pi * number / points for number in range(2 * points)]
    reach = [near if number % 2 else far for number in range(2 * points)]
    return [(x + r * sin(turn), y - r * cos(turn)) for r, turn in zip(reach, turns, strict=True)]


def _chair(pen: ImageDraw.ImageDraw, x: float, y: float, taken: bool) -> None:
    box = _scaled([(x - 30, y - 30), (x + 30, y + 30)])
    if taken:
        pen.ellipse(box, BRIGHT)
        return
    for part in range(12):
        pen.arc(box, 30 * part, 30 * part + 18, ACCENT, 6 * TWICE)


def _card(card: Card) -> Image.Image:
    """Return a picture of a card, 188 x 263 pixels before scaling."""
    wide, high = 188 * TWICE, 263 * TWICE
    picture = Image.new("RGBA", (wide, high), (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    box, inner = (0, 0, wide - 1, high - 1), (24, 24, wide - 25, high - 25)
    if card == DOWN:
        pen.rounded_rectangle(box, 44, BACK_LINE)
        pen.rounded_rectangle(inner, 28, BACK)
        pen.polygon(star(wide / 2, high / 2, 130, 82, 16), BACK_LINE)
        return picture
    pen.rounded_rectangle(box, 44, FACE, FRAME, 6)
    suit = card if card in JOKERS else card[-1]
    if suit not in INKS:  # a number
        _write(pen, 14, 40, card, _font(50), INKS["S"])
        pen.text((wide / 2, high * 0.56), card, INKS["S"], _font(88), anchor="mm", stroke_width=2)
        return picture
    if card in JOKERS:
        _suit(pen, suit, 66, 76, 44)
    else:
        _write(pen, 14, 40, SIGNS.get(card[0], card[0]), _font(54), INKS[suit])
        _suit(pen, suit, 62, 176, 34)
    _suit(pen, suit, wide * 0.6, high * 0.68, 104)
    return picture


def _suit(pen: ImageDraw.ImageDraw, suit: str, x: float, y: float, reach: float) -> None:
    """Draw a suit symbol around a point, `reach` from its centre to its edge."""

    ink = INKS[suit]

    def at(points: Iterable[Point]) -> Shape:
        return [(x + across * reach, y + down * reach) for across, down in points]

    def ball(across: float, down: float, size: float) -> None:
        pen.ellipse(at([(across - size, down - size), (across + size, down + size)]), ink)

    if suit not in SUITS:
        pen.polygon(star(x, y, reach, reach * 0.62, 16), ink)
    elif suit == "D":
        pen.polygon(at([(0, -1), (0.75, 0), (0, 1), (-0.75, 0)]), ink)
    elif suit == "H":
        ball(-0.45, -0.4, 0.48)
        ball(0.45, -0.4, 0.48)
        pen.polygon(at([(-0.89, -0.2), (0.89, -0.2), (0, 1)]), ink)
    else:
        pen.polygon(at([(-0.1, -0.1), (0.1, -0.1), (0.35, 1), (-0.35, 1)]), ink)
        if suit == "S":
            ball(-0.43, 0.25, 0.44)
            ball(0.43, 0.25, 0.44)
            pen.polygon(at([(-0.84, 0.08), (0.84, 0.08), (0, -1)]), ink)
        else:
            ball(0, -0.5, 0.45)
            ball(-0.48, 0.25, 0.45)
            ball(0.48, 0.25, 0.45)


def _lay(picture: Image.Image, card: Image.Image, x: float, y: float, turned: float) -> None:
    """Paste a card into the picture, centred at a point, rotated by `turned` degrees."""
    turned_card = card.rotate(turned, Image.Resampling.BICUBIC, expand=True)
    corner = (int(x * TWICE - turned_card.width / 2), int(y * TWICE - turned_card.height / 2))
    picture.paste(turned_card, corner, turned_card)


def _write(
    pen: ImageDraw.ImageDraw,
    x: float,
    y: float,
    text: str,
    font: ImageFont.FreeTypeFont,
    ink: str = BRIGHT,
) -> None:
    """Draw a text, slightly bold, starting at a point; `y` is the vertical middle of its
    letters.
    """
    pen.text((x * TWICE, y * TWICE), text, ink, font, anchor="lm", stroke_width=2)


def _fitting(text: str, width: int) -> ImageFont.FreeTypeFont:
    """Return the largest font, up to 96 pixels, in which a text fits the width."""
    size = 96
    while size > 24 and _font(size).getlength(text) > width * TWICE:
        size -= 4
    return _font(size)


def _font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font that comes with Pillow (Aileron, public domain)."""
    font = ImageFont.load_default(size * TWICE)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def _scaled(points: Iterable[Point]) -> Shape:
    return [(x * TWICE, y * TWICE) for x, y in points]


def _png(picture: Image.Image) -> bytes:
    few = picture.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    return _saved(few, "PNG")


def _saved(picture: Image.Image, kind: str) -> bytes:
    file = BytesIO()
    picture.save(file, kind)
    return file.getvalue()
