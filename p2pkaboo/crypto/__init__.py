"""The group, masking, sharing and proofs that the deck is made of; knows nothing of cards, messages or players."""
