"""What agents do in a checkout: their sessions, what these read and edited, and which files they claim."""
