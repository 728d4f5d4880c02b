"""Bots that are programs of their own play the house's, on the machine of their author."""
