"""Tests of `relaybench.catalog`."""
