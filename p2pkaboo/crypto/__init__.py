"""The mental-poker cryptography: group, masks, proofs, key split, identities. No I/O, no clock and no threads."""
