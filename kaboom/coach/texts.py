"""The coach's sentences."""

from collections.abc import Iterator
from typing import Any

from kaboom.coach.judged_decision import BETTER, CHOSEN, GOOD, UNKNOWN, WORSE, Judged, Weighed
from kaboom.coach.queries import MOST_TRIES
from kaboom.coach.service import Coached
from kaboom.engine.bots.analysis import analysis_of
from kaboom.engine.bots.horizon import Unit
from kaboom.engine.game import Game
from kaboom.engine.i18n import figures, ngettext
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.moves import Move
from kaboom.engine.texts import Names

ENOUGH = 8  # choices that are named individually

ANSWERS = {
    GOOD: N_("Well done."),
    CHOSEN: N_("That is what you chose."),
    BETTER: N_("That is better than what you chose, but it is not the best."),
    WORSE: N_("That is not better than what you chose."),
    UNKNOWN: N_("The coach did not look closely at that move, so it does not count as good."),
}


def move_in_words(game: Game[Any], text: str, about: str, names: Names) -> str:
    """Return a move in words: its button and its choices. `about` belongs to the move's offer."""
    move = Move.parse(text)
    return game.words.move(move.verb, move.choices, names, about)


def amount(game: Game[Any], number: float) -> str:
    """Return a cost in words, with the game's unit: "4.5 points"."""
    shown = round(number, 1)
    if analysis_of(game).unit is Unit.WINS:
        return ngettext("{count} win in 100 games", "{count} wins in 100 games", shown)
    return ngettext("{count} point", "{count} points", shown)


def cost_of(game: Game[Any], it: Weighed) -> str:
    """Return in words how much worse a move is than the best, with the interval, or that it may
    be as good or was not played out.
    """
    if it.less is None:
        return _("not played out")
    if it.equal and it.less >= analysis_of(game).least:
        return _("{amount} worse, perhaps by chance", amount=amount(game, it.less))
    if it.equal:
        return _("as good as any")
    low, high = limits(it)
    if low == high:
        return _("{amount} worse", amount=amount(game, it.less))
    return _("{amount} worse ({low} to {high})", amount=amount(game, it.less), low=low, high=high)


def limits(it: Weighed) -> tuple[str, str]:
    """Return the lower and upper limits of a cost, in figures."""
    return figures(round(it.low, 1)), figures(round(it.high, 1))


def verdict(game: Game[Any], judged: Judged) -> str:
    """Return the verdict on a decision, without naming a better move."""
    own = judged.own
    if own is None or own.less is None or not own.sure:
        return _("As good as any.")
    if own.less < judged.least:
        return _("It hardly mattered: {amount}.", amount=amount(game, own.less))
    if not judged.is_mistake:  # the bot's first estimate contradicts it
        return _("As good as any, as far as the coach can tell.")
    low, high = limits(own)
    if low == high:
        return _("It cost {amount}.", amount=amount(game, own.less))
    return _(
        "It cost about {amount} (between {low} and {high}).",
        amount=amount(game, own.less),
        low=low,
        high=high,
    )


def summary(it: Coached) -> str:
    """Return the results of a match in one line."""
    count, wrong = len(it.judged), sum(each.is_mistake for each in it.judged)
    if not count:
        return _("There was no decision to judge: every move was forced.")
    if not wrong:
        return ngettext(
            "You made {count} decision. No other move was clearly better.",
            "You made {count} decisions. No other move was clearly better.",
            count,
        )
    return ngettext(
        "Another move was clearly better in {count} of your decisions, out of {all}.",
        "Another move was clearly better in {count} of your decisions, out of {all}.",
        wrong,
        all=count,
    )


def why_nothing(game: Game[Any], it: Coached) -> str:
    """Return the sentences that say why no decision is listed as a mistake; "" if one is."""
    if it.mistakes or not it.judged:
        return ""
    played = [each for each in it.judged if each.deals]
    if not played:
        return _("At first glance, the coach found no other move promising enough to play out.")
    least = analysis_of(game).least
    first = ngettext(
        "{count} decision looked doubtful, but no other move certainly gained {amount} or more.",
        "{count} decisions looked doubtful, but no other move certainly gained {amount} or more.",
        len(played),
        amount=amount(game, least),
    )
    owns = [each.own for each in played]
    unclear = sum(own is not None and own.equal and (own.less or 0.0) >= least for own in owns)
    rest = ngettext(
        "In {count} case, another move did better by that much, but perhaps by chance.",
        "In {count} cases, another move did better by that much, but perhaps by chance.",
        unclear,
    )
    return f"{first} {rest}" if unclear else first


def threshold(game: Game[Any], it: Coached) -> str:
    """Return the sentences that say how decisions are judged and which are listed as costly."""
    played = sum(each.deals > 0 for each in it.judged)
    first = ngettext(
        "The decision that looked costliest was played out many times, with the cards you "
        "could not know dealt again each time.",
        "The {count} decisions that looked costliest were played out many times, with the cards "
        "you could not know dealt again each time.",
        played,
    )
    rest = _(
        "A decision is listed here if another move was better with 99% certainty, by {amount} "
        "or more; everything else is “as good as any”.",
        amount=amount(game, analysis_of(game).least),
    )
    return f"{first} {rest}" if played else rest


def progress(it: Coached) -> str:
    """Return the progress of the coaching as a sentence."""
    found = it.coaching
    if found is None:
        return ""
    if it.working and not found.made:
        if it.ahead:
            return ngettext(
                "{count} match is ahead of yours.",
                "{count} matches are ahead of yours.",
                it.ahead,
            )
        return _("The coach will begin in a moment.")
    if it.working:
        made, steps = found.made, found.steps or 0
        return _("The coach is at work: {made} of {steps} parts done.", made=made, steps=steps)
    if found.given_up:
        return _("The coach tried {count} times and failed. You can ask again.", count=MOST_TRIES)
    if found.judged is None:
        return _("The coach’s results can no longer be read. You can ask again.")
    return _("Done.")


def average(game: Game[Any], cost: float) -> str:
    """Return the mean cost of a decision as a sentence."""
    return _("A decision cost {amount} on average.", amount=amount(game, cost))


def told_of(
    game: Game[Any], judged: Judged, kind: str, move: str, answer: Weighed | None
) -> Iterator[str]:
    """Yield the sentences about an answer of that kind; `move` is the answer in words."""
    yield f"{move}. {_(ANSWERS[kind])}" if move else _(ANSWERS[kind])
    if kind == GOOD and judged.is_mistake and answer is not None and answer.less is not None:
        gain = judged.cost - answer.less
        yield _("It is worth about {amount} more.", amount=amount(game, gain))


def how(judged: Judged) -> str:
    """Return the sentence that says how a decision was judged."""
    if not judged.deals:
        return _(
            "This is only the bot’s first impression: no other move was promising enough to "
            "play out."
        )
    return ngettext(
        "Each move was played out in up to {count} deal.",
        "Each move was played out in up to {count} deals.",
        judged.deals,
    )
