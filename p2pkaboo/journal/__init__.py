"""What was sent, received and decided, written down before anything leaves; match history; transcripts."""
