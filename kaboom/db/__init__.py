"""The database: engines, transactions, encryption and migrations."""
