"""The compiled core: how sure, how fast, how exact, beside what is required of it and beside other libraries."""
