"""Tables and export files from the store's typed rows; no SQL and no terminal here."""
