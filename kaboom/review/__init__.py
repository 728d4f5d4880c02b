"""Group review: several people step through a finished match, and one of them leads."""
