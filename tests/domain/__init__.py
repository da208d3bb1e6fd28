"""Tests of `relaybench.domain`."""
