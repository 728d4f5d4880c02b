"""The same table for people, programs and ears: as a page, as JSON, as plain text, as speech.

All are drawn from the TablePage that the templates are given; no voice looks at a state.
"""
