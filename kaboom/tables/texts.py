"""Sentences about a table, rather than about its game."""

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.cards import joined

LEVELS = {
    Level.EASY: N_("at the easy level"),
    Level.NORMAL: N_("at the normal level"),
    Level.HARD: N_("at the hard level"),
}

PACES = {
    Pace.INSTANT: N_("instantly"),
    Pace.BRISK: N_("quickly"),
    Pace.NATURAL: N_("at human speed"),
}


# Names are facts here, because people change chairs.
AROUND = Words(
    sayings={
        "table.on": "This match continues from step {step} of another one. The cards you had not "
        "seen by then were dealt again. It is not rated and not counted.",
        "table.again": "This match continues from step {step} of another one, with the cards as "
        "they were. It is not rated and not counted.",
        "table.propose_same": "{who} proposes the same deal again, with the seats as they were.",
        "table.propose_moved": "{who} proposes the same deal again, with the seats moved on by "
        "one.",
        "table.new_deal": "{who} prefers a new deal.",
        "table.not_same": "The players or the options have changed, so a new deal follows.",
        "table.sat": "{who} sits down.",
        "table.bot": "{who}, a house bot, takes a seat.",
        "table.bot_of": "{who}, a bot that plays {level:level}, takes a seat.",
        "table.left": "{who} leaves the table.",
        "table.removed": "The host removes {who} from the table.",
        "table.away": "{who} has left; the server now plays that seat.",
        "table.back": "{who} is back.",
        "table.back.you": "You are back.",
        "table.ready": "{who} is ready.",
        "table.more": "{who} asks for more time.",
        "table.shuffled": "The host shuffles the seats.",
        "table.host": "{who} is the host now.",
        "table.options": "The host changes options: {labels:labels}. Please check them.",
        "table.locked": "The host sets a password. Players at the table can stay.",
        "table.unlocked": "The host removes the password.",
        "table.listed": "The host shows this table in the lobby.",
        "table.unlisted": "The host hides this table from the lobby.",
        "table.reliable": "From now on, only players who finish their matches may sit down here.",
        "table.not_reliable": (
            "From now on, players may sit down here whether or not they finish their matches."
        ),
        "table.carried": "{who} now plays on another device.",
        "table.handed": "{who} hands over to a bot.",
        "table.handed.you": "You hand over to a bot.",
        "table.stood_in": "A bot now plays for {who}, as agreed.",
        "table.stood_in.you": "A bot now plays for you, as agreed.",
        "table.paused": "The match is paused, as agreed. All clocks are stopped.",
        "table.goes_on": "The match resumes, as agreed.",
        "table.propose_bot": "{by} proposes letting a bot play for {who}.",
        "table.propose_pause": "{by} proposes a pause.",
        "table.propose_go_on": "{by} proposes resuming the match.",
        "table.propose_end": "{by} proposes ending the match without a result.",
        "table.agrees": "{who} agrees.",
        "table.refuses": "{who} disagrees, so nothing changes.",
        "table.is_here": "{who} is back and plays on.",
        "table.no_vote": "Not all players agreed in time, so nothing changes.",
        "table.started": "Match {match} begins.",
        "table.rated": "This match is rated.",
        "table.ruled": "The organiser has set this table’s result. It stands, however you play on.",
        "table.not_ruled": "The organiser’s result is undone. What you play is the result.",
        "table.drawn": "The seats are drawn by lot: {names:listed}.",
        "table.lapsed": "{who} ran out of time: a bot plays this turn.",
        "table.lapsed_again": "{who} ran out of time again: a bot plays on for them.",
        "table.lapsed_again.you": "You ran out of time again: a bot plays on for you.",
        "table.nudged": "{by} politely reminds {who} that it is their turn.",
        "table.vacation": "{who} is on vacation: their clock is paused.",
        "table.vacation_over": "{who} is back from vacation.",
        "table.days": "The host switches to correspondence play: {days:days} for each decision.",
        "table.bank": "The host gives each player a time bank of {days:days}.",
        "table.no_bank": "The host removes the time banks.",
        "table.no_days": "The host switches to live play.",
        "table.stopped": "The match ends without a result.",
        "table.over": "The table is ready for a new match.",
        "table.hint": "{who} asks for a hint.",
        "table.hint.you": "You ask for a hint.",
        "table.hints_all": "All players may now ask for hints.",
        "table.hints_alone": "Only a player alone with bots may now ask for hints.",
        "table.hints_none": "Hints are now off.",
        "table.programs_always": "Players’ bots are welcome here now.",
        "table.programs_private": "Players’ bots are welcome while the table is private.",
        "table.programs_never": "Players’ bots are no longer welcome here.",
        "table.pace": "The host makes the bots play {pace:pace}.",
        "table.hands_yes": "{who} agrees to show spectators all hands with a delay of "
        "{minutes:minutes}.",
        "table.hands_no": "{who} does not agree to show spectators hands, so they stay hidden.",
        "table.hands": "As all agreed, spectators see all hands with a delay of {minutes:minutes}.",
        "table.watch_all": "Anyone with the link may now watch.",
        "table.watch_later": "Spectators now see the match with a delay of {minutes:minutes}.",
        "table.watch_nobody": "Spectators are no longer allowed here.",
    },
    offers={},
    spellers={
        "level": lambda level, names: _(LEVELS[level]),
        "pace": lambda pace, names: _(PACES[pace]),
        "days": lambda days, names: ngettext("{count} day", "{count} days", days),
        "listed": lambda listed, names: joined(list(listed)),
        "labels": lambda labels, names: joined([_(label) for label in labels]),
    },
)
