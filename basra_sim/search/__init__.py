"""Search: open hands solved exactly, and rounds played on by weights."""
