"""Response formats: the same table as a page, as JSON, as plain text and as speech.

All are rendered from the TablePage that templates get; none reads a game's state.
"""
