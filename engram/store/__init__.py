"""The graph server, its one client, and all the Cypher there is."""
