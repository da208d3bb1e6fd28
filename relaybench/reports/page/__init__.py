"""One self-contained page of a run, written without a template engine: no script, no network."""
