"""What a part does, one function or page at a time."""
