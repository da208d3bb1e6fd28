"""Parts of the screen Manual: the list of cells, and what a person knows beside an answer."""
