"""Built-in bots: their interface, levels and delays, and how their play is measured."""
