"""What the screen Results is made of: its table, its plots as text, its lists and dialogs."""
