"""A composite becomes the exact prompt and the exact answer key."""
