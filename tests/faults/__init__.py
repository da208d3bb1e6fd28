"""Faults, proved: whatever goes wrong, nothing is lost, paid twice or scored falsely."""
