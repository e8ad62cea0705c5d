"""Strict canonical encoding, typed messages and their limits."""
