"""Parts of the screen Models: its table, pages and dialog, and the thread that pings."""
