"""Figures draw what the frame says, with intervals, units and nothing cut off; as SVG they fit into a page."""

import re
from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from basra_sim.assembly import SOURCES
from reports.advice_figures import plot_degrees, plot_effects, plot_forms, plot_map, plot_split, scale
from reports.balance_figures import (
    SHARES,
    plot_chances,
    plot_deciding,
    plot_leads,
    plot_lengths,
    plot_luck,
    plot_shares,
)
from reports.figures import plot_measure, plot_points
from reports.parts import WIDTH, drawn, panels
from reports.strength_figures import plot_ratings
from reports.style import OKABE_ITO, styled, svg
from tests.clashes import clashes

VARIANTS = ("bastra", "jordanian-a")
POLICIES = ("greedy", "counter")


@pytest.fixture(autouse=True)
def close() -> Iterator[None]:
    yield
    plt.close("all")


def measure(unit: str = "points/round") -> pd.DataFrame:
    frame = pd.DataFrame([{"variant": name, "policy": policy} for policy in POLICIES for name in VARIANTS])
    value = np.array([0.2, -0.3, 0.4, 0.1])
    return frame.assign(estimate=value, low=value - 0.05, high=value + 0.1, unit=unit)


def ratings() -> pd.DataFrame:
    frame = pd.DataFrame({"policy": ["cheater", "mine", "greedy"], "fair": [False, True, True]})
    value = np.array([4.0, 1.0, -5.0])
    return frame.assign(estimate=value, low=value - 0.5, high=value + 1, unit="points/round")


def points() -> pd.DataFrame:
    values = dict(zip((*SOURCES, "total"), (4, 4, 2, 3, 3.2, 18, 34.2), strict=True))
    return pd.DataFrame(
        {"variant": name, "policy": policy, "part": source, "estimate": value, "low": value - 1, "high": value + 1}
        for name in VARIANTS
        for policy in POLICIES
        for source, value in values.items()
    )


def spread() -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": "bastra", "policy": policy, "part": str(length), "estimate": 0.2, "low": 0.15, "high": 0.26}
        for policy in POLICIES
        for length in (10, *range(2, 7))
    )


def shares() -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": name, "measure": measure, "estimate": value, "low": value - 0.01, "high": value + 0.02}
        for name in VARIANTS
        for measure, value in zip(SHARES, (0.1, 0.0, 0.5, 0.4), strict=True)
    )


def otherwise() -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": name, "measure": f"{unit}_without_{source}", "estimate": value, "low": value, "high": value + 0.02}
        for name in VARIANTS
        for unit, value in (("round", 0.2), ("match", 0.3))
        for source in ("majority", "basras", "cards")
    )


def chances() -> pd.DataFrame:
    return pd.DataFrame(
        {"variant": "bastra", "policy": "counter", "behind": behind, "lacking": lacking}
        | {"estimate": behind / 100, "low": behind / 100 - 0.02, "high": behind / 100 + 0.02}
        for behind in (20, 10, 30)
        for lacking in (40, 20)
    )


def led() -> pd.DataFrame:
    frame = chances()
    return frame.assign(lead=frame["behind"], estimate=0.5 + frame["estimate"]).assign(
        low=lambda rows: rows["estimate"] - 0.02, high=lambda rows: rows["estimate"] + 0.01
    )


def fortunes() -> pd.DataFrame:
    """Skill and the deal of variants that lie close together, two of them at one place."""
    places = {"bastra": (8, 47), "egyptian": (2, 67), "yemeni": (2.4, 65), "basra-nl": (2.1, 67), "basra-en": (2, 66.9)}
    places |= {"palestinian": (21, 18), "jordanian-a": (21, 18), "syrian-b": (20, 19)}
    return pd.DataFrame(
        {"variant": name, "measure": measure, "estimate": value, "low": value - 0.002, "high": value + 0.004}
        for name, pair in places.items()
        for measure, value in zip(("skill", "deal_share"), (each / 100 for each in pair), strict=True)
    )


def advice(unit: str = "points/round") -> pd.DataFrame:
    rows = [
        {"policy": policy, "form": form, "seed": seed, "estimate": 0.1 * seed, "low": 0.0, "high": 0.3, "unit": unit}
        for form in ("literal", "tie-break")
        for policy in POLICIES
        for seed in (1, 2)
    ]
    return pd.DataFrame(rows)


def effects() -> pd.DataFrame:
    rows = [
        {"claim": name, "policy": policy, "estimate": value, "low": value - 0.1, "high": value + 0.1, "smallest": 0.05}
        for name, value in (("jack-hold", -0.8), ("avoid-ten", 0.02))
        for policy in (*POLICIES, "champion")
    ]
    return pd.DataFrame(rows).assign(unit="points/round")


def told_apart(split: str, *places: str) -> pd.DataFrame:
    rows = [
        {"split": split, "place": place, "policy": policy, "estimate": k - 1.0, "low": k - 1.5, "high": k - 0.5}
        for k, place in enumerate(places)
        for policy in POLICIES
    ]
    return pd.DataFrame(rows).assign(unit="points/decision")


def map_of() -> pd.DataFrame:
    frame = told_apart("floor_size × cards_left", "9 or more × 4", "1 × 2", "1 × 4")
    return frame[frame["policy"] == "greedy"]


def degrees() -> pd.DataFrame:
    rows = [
        {"form": form, "policy": policy, "estimate": value, "low": value - 0.1, "high": value + 0.1}
        for form, value in (("8", -1.0), ("none", -2.0), ("16", -0.5), ("ranks", 0.0))
        for policy in ("counter", "champion")
    ]
    return pd.DataFrame(rows).assign(unit="points/round")


PLOTS: dict[str, Callable[[Axes | None], Axes]] = {
    "points": lambda ax: plot_points(points(), ax=ax),
    "ratings": lambda ax: plot_ratings(ratings(), ax=ax),
    "measure": lambda ax: plot_measure(measure(), ax=ax, reference=0.0, label="ahead"),
    "lengths": lambda ax: plot_lengths(spread(), ax=ax),
    "shares": lambda ax: plot_shares(shares(), ax=ax),
    "deciding": lambda ax: plot_deciding(otherwise(), ax=ax),
    "leads": lambda ax: plot_leads(led(), ax=ax),
    "luck": lambda ax: plot_luck(fortunes(), ax=ax),
    "chances": lambda ax: plot_chances(chances(), ax=ax),
    "forms": lambda ax: plot_forms(advice(), ax=ax, smallest=0.05),
    "effects": lambda ax: plot_effects(effects(), ax=ax),
    "split": lambda ax: plot_split(told_apart("lead", "4 to 10", "below -20", "0"), ax=ax, smallest=0.1),
    "degrees": lambda ax: plot_degrees(degrees(), ax=ax, smallest=0.05),
    "map": lambda ax: plot_map(map_of(), ax=ax),
}

with_bars = pytest.mark.parametrize("plot", [PLOTS[name] for name in PLOTS if name not in ("map", "chances")])
"""Maps state their intervals in figures."""

any_plot = pytest.mark.parametrize("plot", PLOTS.values(), ids=PLOTS)


def errorbars(ax: Axes) -> list[ErrorbarContainer]:
    return [each for each in ax.containers if isinstance(each, ErrorbarContainer)]


def places(bars: ErrorbarContainer) -> list[float]:
    """Where estimates lie."""
    return [float(each) for each in np.asarray(bars.lines[0].get_xdata())]


def intervals(bars: ErrorbarContainer) -> list[tuple[float, float]]:
    """Ends of horizontal intervals."""
    segments = bars.lines[2][0].get_segments()
    return [(float(segment[0][0]), float(segment[1][0])) for segment in segments]


@any_plot
def test_draws_on_the_axes_given(plot: Callable[[Axes | None], Axes]) -> None:
    ax = plt.subplots()[1]
    assert plot(ax) is ax


@any_plot
def test_makes_axes_of_its_own(plot: Callable[[Axes | None], Axes]) -> None:
    first, second = plot(None), plot(None)
    assert first is not second


@with_bars
def test_draws_intervals(plot: Callable[[Axes | None], Axes]) -> None:
    assert errorbars(plot(None))


@any_plot
def test_nothing_is_cut_off(plot: Callable[[Axes | None], Axes]) -> None:
    with styled():
        figure = Figure(figsize=(WIDTH, 4), layout="constrained")
        plot(figure.subplots())
        figure.draw_without_rendering()
        drawn_on = figure.get_tightbbox()
    assert drawn_on.x0 >= -0.01
    assert drawn_on.x1 <= WIDTH + 0.01
    assert drawn_on.y0 >= -0.01
    assert drawn_on.y1 <= 4.01


@any_plot
def test_no_word_stands_upon_another_in_a_notebook(plot: Callable[[Axes | None], Axes]) -> None:
    ax = plt.subplots(layout="constrained")[1]
    plot(ax)
    figure = ax.get_figure(root=True)
    assert figure is not None
    assert clashes(figure) == []


def test_measure_is_drawn_where_it_lies() -> None:
    ax = plot_measure(measure())
    greedy, counter = errorbars(ax)
    assert places(greedy) == [0.2, -0.3]
    assert places(counter) == [0.4, 0.1]
    assert np.allclose(intervals(greedy), [(0.15, 0.3), (-0.35, -0.2)])
    assert [label.get_text() for label in ax.get_yticklabels()] == list(VARIANTS)
    assert ax.get_xlabel() == "points a round"


def test_ratings_are_drawn_a_row_a_player() -> None:
    ax = plot_ratings(ratings())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["cheater (sees all)", "mine", "greedy"]
    assert [places(bars) for bars in errorbars(ax)] == [[4], [1], [-5]]
    assert np.allclose([intervals(bars)[0] for bars in errorbars(ax)], [(3.5, 5), (0.5, 2), (-5.5, -4)])
    assert [bars.lines[0].get_markerfacecolor() == "none" for bars in errorbars(ax)] == [True, False, False]
    assert ax.get_xlabel() == "rating (points a round)"


def test_shares_are_drawn_in_percent() -> None:
    ax = plot_measure(measure("of matches"), reference=0.5, label="won")
    assert np.allclose(places(errorbars(ax)[0]), [20, -30])
    assert np.allclose(intervals(errorbars(ax)[0]), [(15, 30), (-35, -20)])
    assert ax.get_xlabel() == "won (% of matches)"
    assert any(np.array_equal(np.asarray(line.get_xdata()), [50, 50]) for line in ax.get_lines())


def test_points_are_stacked_up_to_their_total() -> None:
    ax = plot_points(points())
    ends = {round(float(patch.get_x() + patch.get_width()), 6) for patch in ax.patches}  # type: ignore[attr-defined]  # bars are rectangles
    assert ends == {4, 8, 10, 13, 16.2, 34.2}
    seam, majority, _, total = errorbars(ax)
    assert intervals(seam) == intervals(majority)
    assert np.allclose(intervals(majority), [(15.2, 17.2)] * 4)
    assert np.allclose(intervals(total), [(33.2, 35.2)] * 4)


def test_lengths_are_drawn_in_the_order_of_their_numbers() -> None:
    first, _ = errorbars(plot_lengths(spread()))
    assert places(first) == [2, 3, 4, 5, 6, 10]


def test_shares_are_stacked_up_to_all() -> None:
    ax = plot_shares(shares())
    ends = {round(float(patch.get_x() + patch.get_width()), 6) for patch in ax.patches}  # type: ignore[attr-defined]  # bars are rectangles
    assert ends == {10, 60, 100}
    _, skill = errorbars(ax)
    assert np.allclose(intervals(skill), [(9, 12)] * 2)


def test_rounds_and_matches_that_would_end_otherwise_are_told_apart() -> None:
    bars = errorbars(plot_deciding(otherwise()))
    assert [places(each) for each in bars] == [[20, 20], [30, 30]] * 3
    assert [each.lines[0].get_markerfacecolor() == "none" for each in bars] == [True, False] * 3
    assert len({each.lines[0].get_color() for each in bars}) == 3


def test_leads_are_drawn_as_lines_named_at_their_ends() -> None:
    ax = plot_leads(led())
    assert [places(each) for each in errorbars(ax)] == [[10, 20, 30]] * 2
    assert {text.get_text(): text.xy for text in ax.texts if isinstance(text, Annotation)} == {
        "20": (30, 80),
        "40": (30, 80),
    }
    assert any(np.array_equal(np.asarray(line.get_ydata()), [50, 50]) for line in ax.get_lines())


def test_luck_has_a_named_point_a_variant_with_both_intervals() -> None:
    ax = plot_luck(fortunes())
    named = {text.get_text(): text.xy for text in ax.texts if isinstance(text, Annotation)}
    assert set(named) == {
        *("bastra", "egyptian", "yemeni", "basra-nl", "basra-en", "syrian-b"),
        "palestinian = jordanian-a",
    }
    assert named["bastra"] == pytest.approx((8, 47))
    first = errorbars(ax)[0]
    across, up = (each.get_segments()[0] for each in first.lines[2])
    assert np.allclose(across, [(7.8, 47), (8.4, 47)])
    assert np.allclose(up, [(8, 46.8), (8, 47.4)])


def test_chances_are_drawn_as_a_map() -> None:
    ax = plot_chances(chances())
    cells: dict[tuple[float, float], str] = {}
    for text in ax.texts:
        assert isinstance(text, Annotation)
        cells[text.xy] = f"{cells.get(text.xy, '')} {text.get_text()}"
    assert cells == {(x, y): f" {10 * (y + 1)}.0 ± 2.0" for x in range(2) for y in range(3)}
    assert ax.get_title() == "counter"


def test_policies_are_told_apart_by_colour_and_marker() -> None:
    lines = [bars.lines[0] for bars in errorbars(plot_measure(measure()))]
    assert len({line.get_color() for line in lines}) == len({line.get_marker() for line in lines}) == len(POLICIES)
    assert {line.get_color() for line in lines} <= set(OKABE_ITO.values())


def test_forms_are_drawn_where_they_lie() -> None:
    first, again, *_ = errorbars(plot_forms(advice("of matches"), null=0.5))
    assert np.allclose(places(first), [10, 10])
    assert np.allclose(intervals(again), [(0, 30), (0, 30)])
    ax = plot_forms(advice(), smallest=0.05)
    assert [label.get_text() for label in ax.get_yticklabels()] == [*POLICIES, *POLICIES]
    assert {"always followed", "followed in doubt only"} <= {text.get_text() for text in ax.texts}


def test_another_seed_is_hollow() -> None:
    faces = [bars.lines[0].get_markerfacecolor() for bars in errorbars(plot_forms(advice()))]
    assert sum(face == "none" for face in faces) == 2
    assert len(faces) == 4


def test_effects_stand_in_their_order_with_a_band_each() -> None:
    ax = plot_effects(effects())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["jack-hold", "avoid-ten"]
    assert len(ax.patches) == 2
    assert [places(bars) for bars in errorbars(ax)] == [[-0.8, 0.02]] * 3
    assert {text.get_text() for text in ax.texts} == {"greedy", "counter", "champion"}


def test_places_stand_in_their_natural_order() -> None:
    ax = plot_split(told_apart("lead", "4 to 10", "below -20", "0"))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["below\n−20", "0", "4\nto 10"]
    heights = np.asarray(errorbars(ax)[0].lines[0].get_ydata(), float)
    assert list(heights) == [0.0, 1.0, -1.0]
    assert ax.get_xlabel() == "points ahead so far"
    assert ax.get_ylabel() == "points a decision"


def test_what_holds_or_not_is_said_so() -> None:
    ax = plot_split(told_apart("last_to_play", "0", "1"))
    assert [label.get_text() for label in ax.get_xticklabels()] == ["no", "yes"]


def test_map_has_a_cell_a_row_and_says_its_numbers() -> None:
    ax = plot_map(map_of(), largest=2.0)
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "9+"]
    assert [label.get_text() for label in ax.get_yticklabels()] == ["2", "4"]
    cells = {(round(float(each.get_x()) + 0.48), round(float(each.get_y()) + 0.46)): each for each in ax.patches}  # type: ignore[attr-defined]  # cells are rectangles
    assert set(cells) == {(1, 1), (0, 0), (0, 1)}
    assert {text.get_text() for text in ax.texts} == {"−1.0", "0.0", "+1.0", "±0.5"}
    assert len(ax.lines) == 1, "one cell's interval holds 0"
    loss, gain = cells[1, 1], cells[0, 1]
    assert loss.get_facecolor() != gain.get_facecolor()
    assert loss.get_alpha() == gain.get_alpha()
    assert cells[0, 0].get_alpha() == 0


def test_maps_share_their_axes_and_scale() -> None:
    ax = plot_map(map_of(), places=["5 × 3"])
    assert [label.get_text() for label in ax.get_xticklabels()] == ["1", "5", "9+"]
    assert scale([map_of(), map_of().assign(estimate=0.34)]) == 1.0
    assert scale([map_of().assign(estimate=0.34)]) == pytest.approx(0.4)


def test_degrees_rise_to_full_memory_at_nothing() -> None:
    ax = plot_degrees(degrees())
    labels = [label.get_text() for label in ax.get_xticklabels()]
    assert labels == ["none", "last\n8", "last\n16", "all", "ranks\nonly"]
    curves = [np.asarray(line.get_ydata(), float) for line in ax.lines if line.get_linestyle() == "-"]
    assert [list(each) for each in curves if len(each) == 4] == [[-2.0, -1.0, -0.5, 0.0]] * 2


def test_panels_share_their_scales() -> None:
    wide = spread().assign(high=0.9)
    figure = Figure()
    axes = figure.subplots(1, 2, sharey=True)
    for ax, frame in zip(axes, (wide, spread()), strict=True):
        plot_lengths(frame, ax=ax)
    assert axes[0].get_ylim() == axes[1].get_ylim()
    assert axes[1].get_ylim()[0] == 0
    assert axes[1].get_ylim()[1] >= 90


def test_panels_of_a_page() -> None:
    made = panels(
        lambda ax, part: plot_lengths(part, ax=ax),
        [spread().assign(variant=name) for name in ("a", "b", "c", "d")],
        name="x",
        caption="",
        alt="",
        data="x",
        height=4.0,
        labels=("rounds", "share"),
    )
    assert all(f">{text}</text>" in made.svg for text in ("a", "b", "c", "d", "rounds", "share", "greedy"))


@pytest.fixture
def picture() -> str:
    return drawn(PLOTS["forms"], name="made", caption="", alt='more < "less"', data="x", height=4).svg


def test_svg_is_the_same_each_time(picture: str) -> None:
    again = drawn(PLOTS["forms"], name="made", caption="", alt='more < "less"', data="x", height=4).svg
    assert picture == again


def test_svg_stands_alone_in_a_page(picture: str) -> None:
    assert picture.startswith("<svg ")
    assert picture.endswith("</svg>")
    assert not re.search(r"https?:|<\?xml|<!DOCTYPE|<style|<metadata|xmlns|<image", picture)
    ids = re.findall(r'\bid="([^"]*)"', picture)
    assert ids
    assert len(ids) == len(set(ids))
    assert all(each.startswith("made-") for each in ids)
    assert set(re.findall(r"(?:url\(|href=\")#([^)\"]*)", picture)) <= set(ids)


def test_svg_has_text_as_text_and_says_what_it_shows(picture: str) -> None:
    assert 'role="img"' in picture
    assert 'aria-label="more &lt; &quot;less&quot;"' in picture
    assert all(f">{text}</text>" in picture for text in ("greedy", "always followed", "points a round"))
    assert "font-family:var(--font)" in picture


def test_svg_leaves_colours_to_the_page(picture: str) -> None:
    assert "var(--ink)" in picture
    assert "var(--blue)" in picture
    assert not re.findall(r"#[0-9a-f]{6}", picture)


def test_own_settings_do_not_change_a_figure(picture: str) -> None:
    with plt.rc_context({"font.size": 30, "svg.hashsalt": "other", "axes.grid": True, "svg.fonttype": "path"}):
        again = drawn(PLOTS["forms"], name="made", caption="", alt='more < "less"', data="x", height=4).svg
    assert picture == again


def test_svg_of_any_figure() -> None:
    figure = Figure(figsize=(2, 1))
    figure.text(0.5, 0.5, "hello")
    with styled():
        assert 'viewBox="0 0 144 72"' in svg(figure, "a", "b")
