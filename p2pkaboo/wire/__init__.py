"""Bytes to typed messages and back: one strict canonical encoding, every limit named."""
