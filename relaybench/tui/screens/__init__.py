"""The seven screens, each with its stylesheet beside it."""
