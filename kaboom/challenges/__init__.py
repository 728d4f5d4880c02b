"""Challenges: everyone with the link plays the same deal, from the same seat, against the same
bots.
"""
