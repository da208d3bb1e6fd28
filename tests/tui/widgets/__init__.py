"""Tests of widgets that several screens use."""
