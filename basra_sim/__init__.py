"""Simulation of the card games of the Basra family: rules, compiled engine, players and experiments."""

__version__ = "0.1.0"
