"""Tests of `relaybench.library`."""
