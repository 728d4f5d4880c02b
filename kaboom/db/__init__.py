"""The store: SQLAlchemy tables, statements built once, and transactions. It knows no rules."""
