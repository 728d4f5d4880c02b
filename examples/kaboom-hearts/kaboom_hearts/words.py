"""The words of Hearts."""

from kaboom.core.language import mark, say
from kaboom.core.words import Words

# What the general table says of zones, of marked cards and above points: marked for the catalogue.
ZONE_NAMES = (mark("Played"), mark("Hand"), mark("Taken"))
MARKS = (mark("to pass"),)
HEADINGS = (mark("This deal"), mark("Match"))
WAYS = {
    "left": mark("pass three cards to the left"),
    "right": mark("pass three cards to the right"),
    "across": mark("pass three cards across"),
    "none": mark("nobody passes"),
}


WORDS = Words(
    sayings={
        # what is going on
        "pass_now": "Your turn: {way:way}.",
        "passing": "Waiting for {waiting:names} to pass three cards.",
        "lead": "{seat:name} leads.",
        "lead.you": "Your turn: lead a card.",
        "lead_next": "{seat:name} has taken the trick ({points:points}) and leads.",
        "lead_next.you": "Your turn: you have taken the trick ({points:points}). Lead a card.",
        "follow": "{seat:name} plays to the {led:card}.",
        "follow.you": "Your turn: play to the {led:card}.",
        "be_ready": "Your turn: the deal is over, {scores:scores}. Say when you are ready.",
        "between_deals": "The deal is over, {scores:scores}. Waiting for {waiting:names}.",
        "won": "The match is over. {winners:names} won: {scores:scores}.",
        "draw": "The match is over, a draw between {winners:names}: {scores:scores}.",
        "abandoned": "The match was stopped because too few players were left: {scores:scores}.",
        # what has happened
        "deal_started": "Deal {deal}: {way:way}.",
        "passed": "{seat:name} has chosen cards to pass.",
        "passed.you": "You have chosen cards to pass.",
        "passed.open": "",
        "passed_yours": "You pass the {cards:cards}.",
        "passed_yours.open": "{seat:name} passes the {cards:cards}.",
        "received": "{giver:name} passes you the {cards:cards}.",
        "begins": "{seat:name} holds the two of clubs and leads.",
        "begins.you": "You hold the two of clubs and lead.",
        "played": "{seat:name} plays the {card:card}.",
        "played.you": "You play the {card:card}.",
        "broken": "Hearts are broken.",
        "trick_taken": "{seat:name} takes the trick: {points:points}.",
        "trick_taken.you": "You take the trick: {points:points}.",
        "moon": "{seat:name} has shot the moon: 26 points for everybody else.",
        "moon.you": "You have shot the moon: 26 points for everybody else.",
        "deal_over": "The deal is over: {scores:scores}.",
        "ready": "{seat:name} is ready.",
        "ready.you": "You are ready.",
        "late": "{seat:name} is out of time, so chance decides.",
        "away": "{seat:name} is away, so chance decides.",
        "left": "{seat:name} has left the table.",
        "left.you": "You have left the table.",
        "returned": "{seat:name} is back.",
        "returned.you": "You are back.",
    },
    offers={
        "pass": "Pass three cards",
        "pass.ask": "Pass the {choice}?",
        "play": "Play a card",
        "ready": "Ready for the next deal",
    },
    choices={"pass": "card", "play": "card"},
    rules={"pass": "passing", "play": "playing", "ready": "the-end"},
    spellers={"way": lambda way, names: say(WAYS[way])},
)
