"""Bots that are programs of their own, against the house, on the machine of who wrote them."""
