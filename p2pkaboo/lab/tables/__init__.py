"""Whole tables in one process, on virtual time: all of it real but the wires and the people."""
