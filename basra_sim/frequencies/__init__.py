"""
How often things happen at the table, counted while rounds are played.

`occasions` says what is counted, `walk` counts it in compiled code, `counting` plays and adds up.
"""

from basra_sim.frequencies.counting import Counts, count, table_of
from basra_sim.frequencies.occasions import TABLES, Axis, Table

__all__ = ["TABLES", "Axis", "Counts", "Table", "count", "table_of"]
