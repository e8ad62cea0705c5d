"""Checks a finished round or a whole transcript again from the first byte, for people and for machines."""
