"""Tables: their seats, matches, clocks and votes. TableService.change() makes every change."""
