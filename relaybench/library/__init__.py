"""Problem files: read them with every fault placed, and save them without losing a comment."""
