"""Colour-blind people can distinguish the suits, on light and on dark cards."""

import re
from itertools import combinations

import pytest

from tests.support.server import ROOT

SHEET = (ROOT / "static" / "web" / "base.css").read_text(encoding="utf-8")
SUITS = ("spades", "hearts", "diamonds", "clubs")
# Machado, Oliveira and Fernandes (2009), severity 1: the perceived red, green and blue light.
EYES = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}


def palettes():
    """Return the colours by name: the light ones, and the dark ones on top of them."""
    blocks = re.findall(r":root[^{]*\{([^}]*--card-face:[^}]*)\}", SHEET)
    found = [dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,8});", block)) for block in blocks]
    assert len(found) == 3, "light, dark by the system, dark by choice"
    assert found[1] == found[2]
    return {"light": found[0], "dark": found[0] | found[1]}


def light_of(colour):
    """Return red, green and blue as amounts of light from 0 to 1."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * digit for digit in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    return [it / 12.92 if it <= 0.04045 else ((it + 0.055) / 1.055) ** 2.4 for it in parts]


def seen_by(light, eyes):
    return [
        min(1, max(0, sum(a * b for a, b in zip(row, light, strict=True)))) for row in EYES[eyes]
    ]


def luminance(light):
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), light, strict=True))


def contrast(one, other):
    high, low = sorted((luminance(light_of(one)), luminance(light_of(other))), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(light):
    """Return CIE L*a*b* of light (D65)."""
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    x, y, z = (
        (it ** (1 / 3) if it > 216 / 24389 else (841 / 108) * it + 4 / 29)
        for it in (
            sum(a * b for a, b in zip(row, light, strict=True)) / whole
            for row, whole in zip(to_xyz, white, strict=True)
        )
    )
    return (116 * y - 16, 500 * (x - y), 200 * (y - z))


def difference(one, other, eyes):
    """Return how different two colours look to such viewers (CIE 1976)."""
    both = [lab(seen_by(light_of(colour), eyes)) for colour in (one, other)]
    return sum((a - b) ** 2 for a, b in zip(*both, strict=True)) ** 0.5


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("look", ["light", "dark"])
def test_any_two_suits_can_be_distinguished(look, eyes):
    colours = palettes()[look]
    for one, other in combinations(SUITS, 2):
        assert difference(colours[one], colours[other], eyes) >= 25, (one, other)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_every_suit_can_be_read_on_its_card(look):
    colours = palettes()[look]
    for suit in SUITS:
        assert contrast(colours[suit], colours["card-face"]) >= 4.5, suit


@pytest.mark.parametrize("look", ["light", "dark"])
def test_card_face_is_light_in_every_color_scheme(look):
    assert luminance(light_of(palettes()[look]["card-face"])) >= 0.75


def test_red_and_green_suits_are_found_too_similar():
    """The measure works: without red cones, hearts and clubs of many decks look alike."""
    assert difference("#c00000", "#006400", "protanopia") < 25
