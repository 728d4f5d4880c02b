"""What must hold whatever happens: random play, hostile input, deaths, planted faults."""
