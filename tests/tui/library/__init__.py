"""Tests of the parts of the Library screen."""
