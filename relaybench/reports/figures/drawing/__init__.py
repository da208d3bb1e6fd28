"""Drawings with matplotlib; loaded by ``figures.render`` alone, once one is drawn."""
