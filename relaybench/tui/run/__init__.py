"""The screen Run: what is set up, the run under way in a thread of its own, and its grid."""
