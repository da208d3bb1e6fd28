"""Estimates and intervals from plain numbers: pure; missing where undefined, never 0 or NaN."""
