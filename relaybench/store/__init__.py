"""The only room that touches SQLite: everything a run planned, sent, received and judged."""
