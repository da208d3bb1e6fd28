"""Parts of the screen Attempt: the list, and the pages of one attempt."""
