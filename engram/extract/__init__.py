"""Source text to facts, and facts to edges."""
