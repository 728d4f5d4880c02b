"""Names for bots: short, and easy to tell apart by eye and ear."""

BOT_NAMES = ("Robin", "Juma", "Olga", "Chip", "Wanja", "Felix", "Mo", "Vera", "Otto", "Zuri")
