"""Five bounded ways of looking at code, each call through one runner that journals it."""
