"""What was stored: graded, looked at, compared, narrowed, written for others."""
