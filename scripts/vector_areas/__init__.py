"""What `scripts/vectors.py` writes: a module an area of vectors, and the matches that become golden transcripts."""
