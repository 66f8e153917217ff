"""From a text about a repository to the places it is about."""
