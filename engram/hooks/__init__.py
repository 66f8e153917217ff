"""What the client's events start: `engram hook EVENT` reads one JSON object and prints one, or nothing."""
