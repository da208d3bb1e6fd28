"""Tests of the problem library: every key is worked out a second time, from the text alone."""
