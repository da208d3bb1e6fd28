"""Widgets and working state of the Library screen."""
