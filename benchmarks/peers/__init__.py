"""Other libraries to compare with: each in a virtual environment of its own, spoken to through a subprocess.

A peer is one line in `catalog.py` and one small file, its *adapter*, next to this one. Adapters are never
imported here; `worker.py` runs them with the peer's own Python, and describes what they have to offer.
"""
