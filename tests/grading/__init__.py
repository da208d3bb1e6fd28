"""Tests of the grading room."""
