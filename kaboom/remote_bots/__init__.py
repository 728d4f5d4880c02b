"""Remote bots: bots that their authors run at an HTTP endpoint."""
