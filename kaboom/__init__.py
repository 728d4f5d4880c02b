"""Kaboom, a card room in a link: five card games for any browser."""
