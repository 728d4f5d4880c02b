"""HTTP for all rooms: sessions, forms, security, errors."""
