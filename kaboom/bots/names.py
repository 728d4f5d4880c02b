"""Names of the house's players: short, easily told apart by eye and by ear."""

BOT_NAMES = ("Robin", "Juma", "Olga", "Chip", "Wanja", "Felix", "Mo", "Vera", "Otto", "Zuri")
