"""Reachability maps: how fast they are sampled and asked, and how far they can be trusted."""
