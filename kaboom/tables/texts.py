"""What is told around a game rather than in it."""

from kaboom.engine.bots.bot import Level
from kaboom.engine.bots.delays import Pace
from kaboom.engine.i18n import mark, say, say_counted
from kaboom.engine.texts import Words
from kaboom.engine.toolkit.cards import joined

LEVELS = {
    Level.EASY: mark("at the easy level"),
    Level.NORMAL: mark("at the normal level"),
    Level.HARD: mark("at the hard level"),
}

PACES = {
    Pace.INSTANT: mark("at once"),
    Pace.BRISK: mark("briskly"),
    Pace.NATURAL: mark("as fast as people"),
}


def in_days(days: int) -> str:
    """Return so many days in words."""
    return say_counted("{count} day", "{count} days", days)


# Names are facts here, since people change chairs.
AROUND = Words(
    sayings={
        "table.sat": "{who} sits down.",
        "table.bot": "{who}, played by the house, takes a seat.",
        "table.bot_of": "{who}, a bot that plays {level:level}, takes a seat.",
        "table.left": "{who} leaves the table.",
        "table.removed": "The host removes {who} from the table.",
        "table.away": "{who} has left; the house now plays that seat.",
        "table.back": "{who} is back.",
        "table.ready": "{who} is ready.",
        "table.more": "{who} asks for more time.",
        "table.shuffled": "The host shuffles the seats.",
        "table.host": "{who} is the host now.",
        "table.options": "The host changes options: {labels:labels}. Please look again.",
        "table.locked": "The host sets a password. Everybody at the table stays.",
        "table.unlocked": "The host removes the password.",
        "table.listed": "The host shows this table in the lobby.",
        "table.unlisted": "The host takes this table out of the lobby.",
        "table.carried": "{who} now plays on another device.",
        "table.handed": "{who} lets a bot play on.",
        "table.stood_in": "A bot now plays for {who}, as agreed.",
        "table.paused": "The match is paused, as agreed. All clocks are stopped.",
        "table.goes_on": "The match goes on, as agreed.",
        "table.propose_bot": "{by} proposes that a bot plays for {who}.",
        "table.propose_pause": "{by} proposes a pause.",
        "table.propose_go_on": "{by} proposes to go on.",
        "table.propose_end": "{by} proposes to end the match without a result.",
        "table.agrees": "{who} agrees.",
        "table.refuses": "{who} disagrees, so nothing changes.",
        "table.is_here": "{who} is here and plays on.",
        "table.no_vote": "Not everybody agreed in time, so nothing changes.",
        "table.started": "Match {match} begins.",
        "table.rated": "This match counts for ratings.",
        "table.ruled": "The organiser has set this table’s result: it stands, however you play on.",
        "table.not_ruled": "What the organiser had set is undone: what you play is the result.",
        "table.drawn": "The seats are drawn by lot: {names:listed}.",
        "table.lapsed": "{who} has let the time run out: a bot decides this turn.",
        "table.lapsed_again": "{who} has let the time run out again: a bot plays on for them.",
        "table.nudged": "{by} politely reminds {who} that it is their turn.",
        "table.vacation": "{who} is on vacation: their clock stands still.",
        "table.vacation_over": "{who} is back from vacation.",
        "table.days": "The host lets matches be played over days: {days:days} for each decision.",
        "table.no_days": "The host lets matches be played in one go.",
        "table.stopped": "The match ends without a result.",
        "table.over": "The table is free for a new match.",
        "table.hint": "{who} asks what a bot would do.",
        "table.hints_all": "Everybody may now ask what a bot would do.",
        "table.hints_alone": "Only those alone with bots may now ask what a bot would do.",
        "table.hints_none": "Nobody may now ask what a bot would do.",
        "table.programs_always": "Bots of players are welcome here now.",
        "table.programs_private": "Bots of players are welcome while the table is private.",
        "table.programs_never": "Bots of players are no longer welcome here.",
        "table.pace": "The host has the bots play {pace:pace}.",
        "table.hands_yes": "{who} agrees that spectators see all hands, {minutes:minutes} later.",
        "table.hands_no": "{who} does not want spectators to see hands, so they will not.",
        "table.hands": "As all agreed, spectators see all hands, {minutes:minutes} later.",
        "table.watch_all": "Everybody with the link may now watch.",
        "table.watch_later": "Spectators now see the match {minutes:minutes} later.",
        "table.watch_nobody": "Nobody may now watch a match here.",
    },
    offers={},
    spellers={
        "level": lambda level, names: say(LEVELS[level]),
        "pace": lambda pace, names: say(PACES[pace]),
        "days": lambda days, names: in_days(days),
        "listed": lambda listed, names: joined(list(listed)),
        "labels": lambda labels, names: joined([say(label) for label in labels]),
    },
)
