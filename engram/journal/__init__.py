"""The append-only, hash-chained record of what was asked and what was seen."""
