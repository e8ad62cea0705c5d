"""Kaboo as pure functions on immutable state: cards, rule sets, moves, scores, and what one seat may see."""
