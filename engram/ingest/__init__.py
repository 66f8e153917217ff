"""From the files of a checkout to its graph: find, extract, resolve, load."""
