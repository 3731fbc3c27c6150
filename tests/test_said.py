"""Numbers in sentences: what is read, what is behind them, and how a page shows them."""

import pytest
from markupsafe import Markup

from basra_sim.stats import Estimate
from reports.said import Number, as_html, marked, numbers, parts, plain
from reports.wording import NO_BREAK, number

GAIN = Estimate(1.2345678901234567, 1.13, 1.339, 2048)
SENTENCE = f"It gains {number(GAIN, 'points/round')} & wins {number(Estimate(0.5, 0.25, 0.75, 9), 'of matches')}."


def test_a_sentence_is_read_without_what_is_behind_it() -> None:
    assert plain(SENTENCE).replace(NO_BREAK, " ") == "It gains 1.23 ± 0.10 & wins 50 ± 25 %."
    assert plain("no number") == "no number"


def test_what_is_behind_a_number_is_kept_in_full() -> None:
    first, second = numbers(SENTENCE)
    assert first == Number(f"1.23{NO_BREAK}±{NO_BREAK}0.10", GAIN.value, GAIN.low, GAIN.high, 2048, "points/round")
    assert (second.value, second.units, second.unit) == (0.5, 9, "of matches")
    assert "".join(part if isinstance(part, str) else part.text for part in parts(SENTENCE)) == plain(SENTENCE)


def test_a_page_shows_numbers_as_data_and_escapes_the_rest() -> None:
    made = as_html(f"<b> {marked('<1>', GAIN, 'points')}")
    assert isinstance(made, Markup)
    assert made == '&lt;b&gt; <data value="1.2345678901234567">&lt;1&gt;</data>'


@pytest.mark.parametrize("value", ["no number", Markup("<p>"), 3, None])
def test_what_has_no_marks_is_left_alone(value: object) -> None:
    assert as_html(value) is value
