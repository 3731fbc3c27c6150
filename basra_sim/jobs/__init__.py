"""Long jobs: their finished pieces kept in a folder, so that one that was cut short goes on where it stopped."""

from basra_sim.jobs.keeping import job

__all__ = ["job"]
