"""Commits as facts, and what follows from them: which file of today they touched, and what changes together."""
