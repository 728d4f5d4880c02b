"""Solves GOPS, and fits the neural networks of its bot."""
