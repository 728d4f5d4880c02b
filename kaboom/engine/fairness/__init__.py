"""Provably fair matches: the commitment to a shuffle, and the hash chain of the record."""
