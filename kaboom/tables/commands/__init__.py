"""What people can have done at a table. Each is a function that is given the table service."""
