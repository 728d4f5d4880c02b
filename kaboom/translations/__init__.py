"""Catalogues of the languages beside English, and how the texts in our Python are found."""
