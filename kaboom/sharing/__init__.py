"""Sharing a link: its preview in messengers, its QR code, and the app icons."""
