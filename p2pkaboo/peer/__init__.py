"""Runs one seat: feeds a replica, writes the journal first, then sends; keeps the timers; serves the local API."""
