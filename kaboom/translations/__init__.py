"""Catalogues for the languages other than English, and the extraction of strings from our Python
code.
"""
