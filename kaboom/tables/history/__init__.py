"""What has been played: the log's chain, records and replays, and matches seen later."""
