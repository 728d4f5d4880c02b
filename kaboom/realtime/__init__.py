"""Event streams, presence, and the hub that wakes open pages."""
