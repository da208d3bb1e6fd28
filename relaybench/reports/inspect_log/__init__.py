"""A run as log files of Inspect AI, one a model config, for its viewer and its data frames."""
