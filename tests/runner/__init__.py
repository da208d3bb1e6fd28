"""Tests of the room ``runner``."""
