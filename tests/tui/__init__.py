"""Tests of the screens: users' journeys by Pilot, and the logic below them by itself."""
