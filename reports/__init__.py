"""Figures, tables and documents made from what ``analyses`` and ``basra_sim`` return."""
