"""The peers of the stored index."""
