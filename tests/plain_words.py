"""Words that stand where a player reads first."""

import re

JARGON = re.compile(
    r"varian(?!t)|margin|estimat|standard|jackknife|quantile|degrees of freedom|least squares|correct", re.IGNORECASE
)
"""Words that a player need not know: none stands where he reads first."""
