"""Author problems: the library and composites, as commands and screens change and show them."""
