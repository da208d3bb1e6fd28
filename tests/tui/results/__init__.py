"""Tests of what the screen Results is made of."""
