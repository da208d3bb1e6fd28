"""Tests of `relaybench.composing`."""
