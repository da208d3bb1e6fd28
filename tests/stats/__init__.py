"""Tests of the stats room."""
