"""
Figures, tables and documents made from what ``analyses`` and ``basra_sim`` return.

`figures` draws data frames, `tables` sets them, `wording` puts them into sentences, `document` makes a page of all
that, `folder` writes it.
"""
