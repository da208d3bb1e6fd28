"""Providers: one adapter per wire format behind one Protocol; the simulator is one of them."""
