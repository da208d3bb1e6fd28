"""The figures of a paper: pure data for each kind, and drawings of it with matplotlib."""
