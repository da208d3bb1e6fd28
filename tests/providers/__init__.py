"""Tests of the providers: recorded and made-up responses, no network."""
