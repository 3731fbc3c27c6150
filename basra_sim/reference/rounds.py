"""A round one can step through: dealing, playing, counting."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from basra_sim.cards import ACE, JACK, TEN_OF_DIAMONDS, Card, card_name, card_names, rank_of
from basra_sim.records import RecordError
from basra_sim.reference.choices import Choice, choice_key, choices_of
from basra_sim.reference.dealing import deal_hands, open_round
from basra_sim.rules import Rules, Setting


class IllegalPlayError(RecordError):
    """A play that the rules do not allow."""

    exit_code = 1


class TeamScore(NamedTuple):
    """What a team has after a round: counts of cards and basras, everything else in points."""

    team: int
    cards: int
    aces: int
    jacks: int
    two: int
    ten: int
    majority: int
    basras: int
    basra_count: int
    total: int


class CardPoints(NamedTuple):
    """What captured cards score."""

    aces: int
    jacks: int
    two: int
    ten: int


def card_points(rules: Rules, cards: Collection[Card]) -> CardPoints:
    """Points of captured cards, by source."""
    return CardPoints(
        aces=rules.ace_points * sum(rank_of(card) == ACE for card in cards),
        jacks=rules.jack_points * sum(rank_of(card) == JACK for card in cards),
        two=rules.two_points * (rules.two_card in cards),
        ten=rules.ten_points * (TEN_OF_DIAMONDS in cards),
    )


class Round:
    """
    One round, played card by card.

    Parameters
    ----------
    setting
        Rules and players.
    deck
        The shuffled pack, top first.
    stock
        The pack left once the floor lies, where buried cards went to random places.
    carry_in
        Points for most cards held over from the rounds before.
    teams
        Team of each seat where it is not the setting's: in a match the seats rotate among the players.

    Attributes
    ----------
    floor : list
        Cards on the floor, in the order they came.
    hands : list of list
        Cards each seat holds.
    stock : list
        The rest of the pack, top first.
    piles : list of list
        Cards each team has captured.
    turn : int
        Plays made so far.
    lone_before : bool
        Whether the floor is two cards of which the earlier lay alone just before the later was laid on it.
    last_capture : int or None
        Seat that captured last.
    leftover : list
        Cards left on the floor after the last play. They are in the pile of the seat that captured last.

    Raises
    ------
    InputError
        If the deck or the stock does not fit the setting.
    """

    def __init__(
        self,
        setting: Setting,
        deck: Sequence[Card],
        *,
        stock: Sequence[Card] | None = None,
        carry_in: int = 0,
        teams: Sequence[int] | None = None,
    ) -> None:
        self.setting = setting
        self.rules = setting.rules
        self.teams = tuple(setting.teams if teams is None else teams)
        self.carry_in = carry_in
        opening = open_round(setting, deck, stock)
        self.opening = opening
        self.hands = [list(hand) for hand in opening.hands]
        self.floor = list(opening.floor)
        self.stock = list(opening.stock)
        self.piles: list[list[Card]] = [[] for _ in range(setting.team_count)]
        self.basras: list[list[int]] = [[] for _ in range(setting.team_count)]
        self.turn = 0
        self.plays = setting.plays
        self.lone_before = False
        self.last_capture: int | None = None
        self.leftover: list[Card] = []
        self._players = setting.players
        self._next_deals = list(setting.hand_sizes[1:])
        self._answer: tuple[Card, list[Choice]] | None = None

    @property
    def seat(self) -> int:
        """Seat that plays next. Hands are equal, so every deal begins with seat 0."""
        return self.turn % self._players

    @property
    def over(self) -> bool:
        """Whether all cards are played."""
        return self.turn == self.plays

    @property
    def last_card(self) -> bool:
        """Whether the next play is the last of the round."""
        return self.turn == self.plays - 1

    def legal(self, card: Card) -> list[Choice]:
        """
        Everything the seat on turn may do with a card of its hand.

        Raises
        ------
        IllegalPlayError
            If the seat does not hold the card, or the round is over.
        """
        if self._answer is None or self._answer[0] != card:
            self._check_held(card)
            choices = choices_of(self.rules, self.floor, card, self.lone_before, self.turn == self.plays - 1)
            self._answer = card, choices
        return self._answer[1]

    def play(self, card: Card, taken: Collection[Card] | None = None) -> Choice:
        """
        Play a card for the seat on turn.

        Parameters
        ----------
        card
            A card of its hand.
        taken
            The cards it takes; none of them where it is laid. May be left out where there is no choice.

        Returns
        -------
        Choice
            What was done, with the very cards that were taken.

        Raises
        ------
        IllegalPlayError
            If the play is not legal, or a choice is left open.
        """
        choice = self._chosen(card, taken)
        seat = self.turn % self._players
        self.hands[seat].remove(card)
        if choice.taken:
            team = self.teams[seat]
            self.floor = [other for other in self.floor if other not in choice.taken]
            self.piles[team] += (card, *choice.taken)
            self.last_capture = seat
            self.lone_before = False
            if choice.basra:
                self.basras[team].append(choice.basra)
        else:
            self.lone_before = len(self.floor) == 1
            self.floor.append(card)
        self.turn += 1
        self._answer = None
        if self.turn == self.plays:
            self._clear_floor()
        elif not any(self.hands):
            self.hands = deal_hands(self.rules, self.stock, self._players, self._next_deals.pop(0))
        return choice

    def scores(self) -> list[TeamScore]:
        """Score of each team so far; the points for most cards are in it once the round is over."""
        majority = self._majority() if self.over else [0] * len(self.piles)
        scores = []
        for team, (pile, basras) in enumerate(zip(self.piles, self.basras, strict=True)):
            points = card_points(self.rules, pile)
            total = sum(points) + majority[team] + sum(basras)
            scores.append(TeamScore(team, len(pile), *points, majority[team], sum(basras), len(basras), total))
        return scores

    @property
    def carry_out(self) -> int:
        """Points for most cards that are held over for the next round."""
        if self.rules.majority_tie == "carry" and self.over and len(self._leaders()) > 1:
            return self.carry_in + self.rules.majority_points
        return 0

    def _majority(self) -> list[int]:
        """Points of each team for most cards."""
        leaders = self._leaders()
        if len(leaders) == 1 or self.rules.majority_tie == "each":
            points = self.carry_in + self.rules.majority_points
            return [points if team in leaders else 0 for team in range(len(self.piles))]
        return [0] * len(self.piles)

    def _leaders(self) -> list[int]:
        """Teams that have most cards."""
        most = max(len(pile) for pile in self.piles)
        return [team for team, pile in enumerate(self.piles) if len(pile) == most]

    def _clear_floor(self) -> None:
        """Give what is left on the floor to the seat that captured last; that is no basra."""
        # Cards laid one after another without a capture all differ in rank, so they run out of ranks before they
        # run out of plays: somebody has captured.
        assert self.last_capture is not None, "a round ends with a captor"
        self.leftover = self.floor
        self.piles[self.teams[self.last_capture]] += self.leftover
        self.floor = []

    def _chosen(self, card: Card, taken: Collection[Card] | None) -> Choice:
        """Choice that a play makes, with the very cards it takes."""
        choices = self.legal(card)
        if taken is None:
            if len(choices) > 1:
                raise IllegalPlayError(f"{card_name(card)} has a choice, say what it takes: {in_words(choices)}")
            return choices[0]
        cards = tuple(sorted(taken))
        for choice in choices:
            if choice.taken == cards:
                return choice
        if len(set(cards)) == len(cards) and all(other in self.floor for other in cards):
            key = choice_key(self.rules, cards)
            for choice in choices:
                if len(choice.taken) == len(cards) and choice_key(self.rules, choice.taken) == key:
                    return choice._replace(taken=cards)
        stated = f"cannot take {' '.join(card_names(cards))}" if cards else "cannot be laid"
        lies = " ".join(card_names(self.floor)) or "nothing"
        raise IllegalPlayError(f"{card_name(card)} {stated}; on the floor: {lies}; legal: {in_words(choices)}")

    def _check_held(self, card: Card) -> None:
        """Refuse a card that the seat on turn does not hold."""
        if self.over:
            raise IllegalPlayError(f"the round is over, {card_name(card)} cannot be played")
        if card not in self.hands[self.seat]:
            held = " ".join(card_names(self.hands[self.seat]))
            raise IllegalPlayError(f"seat {self.seat} does not hold {card_name(card)}; legal: any of {held}")


def in_words(choices: Sequence[Choice]) -> str:
    """What a card may do, in words: ``take 4D 5C or 9H``, ``be laid``."""
    if not choices[0].taken:
        return "it is laid"
    return "it takes " + " or ".join(" ".join(card_names(choice.taken)) for choice in choices)
