"""The table in a terminal, a client of the same local API as the browser."""
