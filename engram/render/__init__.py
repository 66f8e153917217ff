"""Values to text, for people and for agents: the only place that formats."""
