"""Bots: a memory like a person's, styles of play; they see what their seat may see and no more."""
