"""Runs: chosen, planned, estimated, carried out, watched, and answered by hand."""
