"""What has been played: the library of records, their replays, and feeds of results."""
