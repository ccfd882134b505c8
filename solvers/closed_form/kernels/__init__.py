"""The compiled part of the closed forms."""
