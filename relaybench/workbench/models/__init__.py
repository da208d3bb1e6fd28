"""Models of a workspace: what is to be said of them, change them, ask whether they answer."""
