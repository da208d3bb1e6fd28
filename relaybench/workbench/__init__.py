"""The use cases that both front ends call: what a command can do, the screens do the same way."""
