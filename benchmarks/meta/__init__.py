"""The meta solver in a crowded cell: how sure, how fast, and whether what it gives is free."""
