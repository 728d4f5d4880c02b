"""The words of King of the Hill."""

from collections.abc import Sequence
from itertools import groupby

from kaboom.engine.i18n import gettext as _
from kaboom.engine.i18n import gettext_noop as N_
from kaboom.engine.i18n import ngettext
from kaboom.engine.texts import Names, Words
from kaboom.engine.toolkit.cards import Card, joined, rank_name, spoken, suit_name
from kaboom.games.koth.cards import TRUMP
from kaboom.games.koth.view import rank_text


def ranks(number: int, names: Names) -> str:
    """Return a number of ranks: "1 rank", "2 ranks"."""
    return ngettext("{count} rank", "{count} ranks", number)


# All cards of a rank.
RANKS = {"A": N_("Aces"), "J": N_("Jacks"), "Q": N_("Queens"), "K": N_("Kings")}


def ranks_of(rank: str, names: Names) -> str:
    """Return all cards of a rank in words: "Kings", "10s"."""
    return _(RANKS[rank]) if rank in RANKS else _("{rank}s", rank=rank_name(rank))


def cards_in_words(cards: Sequence[Card], names: Names) -> str:
    """Return the cards as in a sentence, a pair as one: "both Kings of Clubs and 3 of Clubs"."""
    alike = [list(copies) for _unused, copies in groupby(cards)]
    said = [pair_in_words(it[0], names) if len(it) > 1 else spoken(it[0]) for it in alike]
    return joined(said)


def pair_in_words(card: Card, names: Names) -> str:
    """Return the two copies of a card as spoken: "both Kings of Clubs"."""
    if card == "RJ":
        return _("both Red Jokers")
    if card == "BJ":
        return _("both Black Jokers")
    ranks, suit = ranks_of(card[0], names), suit_name(card[1])
    return _("both {ranks} of {suit}", ranks=ranks, suit=suit)


def more_rounds(number: str, names: Names) -> str:
    """Return the end of the match in words, given the number of rounds after this one."""
    if number == "0":
        return _("after this round")
    return ngettext("after {count} more round", "after {count} more rounds", int(number))


def rank_in_words(rank: str, names: Names) -> str:
    """Return a rank as spoken: "King", "10", "Ace plus 1"."""
    letter, _unused, more = rank.partition("+")
    name = rank_name("T" if letter == "10" else letter)
    return _("{rank} plus {number}", rank=name, number=more) if more else name


NEARLY_ALL, HARDLY_ANY = 98, 2  # percent


def in_how_many_cases(share: int, names: Names) -> str:
    """Return a probability in words, as cases in a hundred."""
    if share >= NEARLY_ALL:
        return _("in almost every case")
    if share <= HARDLY_ANY:
        return _("in almost no cases")
    return _("in about {share} of 100 cases", share=share)


# The names of the zones.
ZONE_NAMES = (N_("Hand"), N_("Trick"), N_("Stock"), N_("Buried cards"))

WORDS = Words(
    sayings={
        # events
        "seated": "The first card will go to {seat:name}.",
        "seated.you": "The first card will go to you.",
        "round_begins": "Round {round} begins. The {rank:ranks_of} are trumps.",
        "dealt_out": "The cards are dealt: last call to declare a trump suit.",
        "declared": "{seat:name} shows {cards:cards} and declares {suit:suit}.",
        "declared.you": "You show {cards:cards} and declare {suit:suit}.",
        "passed": "{seat:name} passes.",
        "passed.you": "You pass.",
        "lots_drawn": "No one declared. By lot, {suit:suit} are trumps and {seat:name} is king.",
        "lots_drawn.you": "No one declared. By lot, {suit:suit} are trumps and you are king.",
        "nobody_declared": "No one declared: {seat:name} chooses the trump suit.",
        "nobody_declared.you": "No one declared: you choose the trump suit.",
        "trump_chosen": "{seat:name} makes {suit:suit} trumps.",
        "trump_chosen.you": "You make {suit:suit} trumps.",
        "trump_is": "Trumps are {suit:suit}, the {rank:ranks_of} and the jokers. "
        "{seat:name} is king of the hill and picks up eight cards.",
        "trump_is.you": "Trumps are {suit:suit}, the {rank:ranks_of} and the jokers. "
        "You are king of the hill and pick up eight cards.",
        "dealt.open": "{seat:name} is dealt {cards:cards}.",
        "taken_up": "The eight cards are {cards:cards}.",
        "taken_up.open": "The eight cards are {cards:cards}.",
        "drafted.open": "{seat:name} puts aside for now: {cards:draft}.",
        "buried": "{seat:name} buries eight cards.",
        "buried.you": "You bury eight cards.",
        "buried.open": "",
        "dead_hand_laid": "Your buried cards are {cards:cards}.",
        "dead_hand_laid.open": "{seat:name} buries {cards:cards}.",
        "called": "{seat:name} calls the {card:card}.",
        "called.you": "You call the {card:card}.",
        "no_call": "{seat:name} calls no card and plays alone.",
        "no_call.you": "You call no card and play alone.",
        "played": "{seat:name} plays {cards:cards}.",
        "played.you": "You play {cards:cards}.",
        "joined": "The called card! {seat:name} becomes {koth:whose} teammate.",
        "joined.you": "The called card! You become {koth:whose} teammate.",
        "call_spent": "{seat:name} plays the called card and is alone from now on.",
        "call_spent.you": "You play the called card yourself: you are alone from now on.",
        "trick_won": "{seat:name} wins the trick: {points:points}.",
        "trick_won.you": "You win the trick: {points:points}.",
        "time_up": "Time is up for {seat:name}.",
        "time_up.you": "Your time is up.",
        "dead_hand_shown": "The buried cards were {cards:cards}: {points:points}.",
        "dead_hand_taken": "{seat:name} won the last trick, so the challengers get "
        "{points:points} for the buried cards.",
        "dead_hand_taken.you": "You won the last trick, so the challengers get "
        "{points:points} for the buried cards.",
        "round_scored": "Round {round} is over. The challengers made {points:points}.",
        "rose": "{seat:name} rises by {gain:ranks} to {rank:rank}.",
        "rose.you": "You rise by {gain:ranks} to {rank:rank}.",
        "nobody_rose": "No one rises in rank.",
        "next_king": "{seat:name} is the next king of the hill; the {rank:ranks_of} will be "
        "trumps.",
        "next_king.you": "You are the next king of the hill; the {rank:ranks_of} will be trumps.",
        "rounds_fixed": "The match ends after round {round} at the latest.",
        "match_over": "The match is over. Highest in rank: {seats:names}.",
        "left": "{seat:name} has left; chance decides for that seat.",
        "returned": "{seat:name} is back.",
        # status lines
        "ready_round": "Waiting for {waiting:names} to be ready for round {round}.",
        "ready_round.you": "Round {round}: say when you are ready.",
        "deal": "Dealing: one of the {rank:ranks_of} makes its player king; a pair overrides it.",
        "deal_later": "Dealing: one of the {rank:ranks_of} makes its suit trumps. "
        "King: {koth:name}.",
        "deal_declared": "Dealing: {who:name} declared {suit:suit} with {cards:count}.",
        "deal_declared_yours": "Dealing: you declared {suit:suit} with {cards:count}.",
        "last_call": "Last call, no suit yet. Not passed: {waiting:names}.",
        "last_call.you": "Last call: declare a trump suit, or pass.",
        "last_call_settled.you": "Last call, no suit declared yet: pass to go on.",
        "last_call_declared": "{who:name} declared {suit:suit} ({cards:count}). "
        "Not passed: {waiting:names}.",
        "last_call_declared.you": "Last call: {who:name} declared {suit:suit}. Override it, or "
        "pass.",
        "last_call_declared_settled.you": "Last call: {who:name} declared {suit:suit}. Pass to go "
        "on.",
        "last_call_declared_yours": "You declared {suit:suit} ({cards:count}). "
        "Not passed: {waiting:names}.",
        "last_call_declared_yours.you": "Last call: you declared {suit:suit}. Pass to go on.",
        "choose_trump": "{seat:name} chooses the trump suit.",
        "choose_trump.you": "Choose the trump suit.",
        "dead_hand": "{seat:name} buries eight cards.",
        "dead_hand.you": "Bury eight of your cards.",
        "call": "{seat:name} may call a card.",
        "call.you": "Call a card: the first to play it becomes your teammate.",
        "ready_trick": "{koth:name} called the {card:card}; trumps are {suit:suit} and the "
        "{rank:ranks_of}. Waiting for {waiting:names}.",
        "ready_trick.you": "{koth:name} called the {card:card} to find a teammate. Ready?",
        "ready_trick_yours": "You called the {card:card}; trumps are {suit:suit} and the "
        "{rank:ranks_of}. Waiting for {waiting:names}.",
        "ready_trick_yours.you": "You called the {card:card} to find a teammate. Ready?",
        "ready_trick_own": "You called the {card:card} and have both: you play alone. Waiting for "
        "{waiting:names}.",
        "ready_trick_own.you": "You called the {card:card} and have both: you play alone. Ready?",
        "ready_trick_alone": "{koth:name} plays alone; trumps are {suit:suit} and the "
        "{rank:ranks_of}. Waiting for {waiting:names}.",
        "ready_trick_alone.you": "{koth:name} plays alone against the other four. Ready?",
        "ready_trick_alone_yours": "You play alone; trumps are {suit:suit} and the "
        "{rank:ranks_of}. Waiting for {waiting:names}.",
        "ready_trick_alone_yours.you": "You play alone against the other four. Ready?",
        "lead": "{seat:name} leads to the first trick.",
        "lead.you": "Your turn: lead to the first trick.",
        "lead_next": "{seat:name} won {points:points} and leads to the next trick.",
        "lead_next.you": "You won {points:points}: lead to the next trick.",
        "lead_next_worthless": "{seat:name} won the trick and leads to the next one.",
        "lead_next_worthless.you": "You won the trick: lead to the next one.",
        "follow_single": "{seat:name} is next: the {lead:cards} was led.",
        "follow_single.you": "Your turn: {suit:led} were led. Play one of your {suit:led}.",
        "follow_single_freely.you": "Your turn: you have no {suit:led}, so play any card.",
        "follow_pair": "{seat:name} is next: a pair was led, {lead:cards}.",
        "follow_pair.you": (
            "Your turn: a pair of {suit:led} was led. Play two {suit:led} if you can."
        ),
        "follow_pair_freely.you": "Your turn: you have no {suit:led}, so play any two cards.",
        "follow_single_joined.you": "Called card! {who:name} joins {koth:name}. "
        "Your turn: {suit:led} were led.",
        "follow_single_freely_joined.you": "Called card! {who:name} joins {koth:name}. "
        "Your turn: you have no {suit:led}.",
        "follow_pair_joined.you": "Called card! {who:name} joins {koth:name}. "
        "Your turn: a pair of {suit:led}.",
        "follow_pair_freely_joined.you": "Called card! {who:name} joins {koth:name}. "
        "Your turn: you have no {suit:led}.",
        "over": "The match is over. Highest in rank: {seats:names}.",
        "abandoned": "All players have left; the match is abandoned.",
        # for players who do not see the table
        "now.trumps": "Trumps: jokers, {rank:ranks_of}, {suit:suit}.",
        "now.trump_rank": "Trumps: jokers, {rank:ranks_of}.",
        "now.king": "King of the Hill: {seat:name}.",
        "now.king.you": "You are King of the Hill.",
        "now.played": "{seat:name} played {cards:cards}.",
        "now.played.you": "You played {cards:cards}.",
        "now.challengers": "The challengers have {points:points}; 80 take the hill.",
        "now.rank": "{seat:name} is at {rank:rank_name}.",
        "now.rank.you": "You are at {rank:rank_name}.",
        # previews
        "preview.declare": (
            "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps, unless "
            "another player overrides it."
        ),
        "preview.declare_king": (
            "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps, and you are "
            "king, unless another player overrides it."
        ),
        "preview.trump": "With {suit:suit} as trumps, {trumps} of your {all} cards are trumps.",
        "preview.call_alone": "You have both of this card: you would play alone against four.",
        "preview.bury": "What you bury is out of play. If a challenger wins the last trick, the "
        "buried points count twice for the challengers.",
        # a bot's reasons
        "think.trump": "Make {suit:suit} trumps: {count} of your cards would then be trumps.",
        "think.declare": "Declare {suit:suit}: {count} of your cards would then be trumps.",
        "think.declare_nothing": "Declare nothing: no suit makes your hand clearly better than "
        "most.",
        "think.pass": "Pass: you hold nothing to declare with.",
        "think.bury": "Bury {cards:cards}: your trumps and winners stay in your hand, and "
        "{points:points} are at stake in the last trick.",
        "think.bury_nothing": "Bury {cards:cards}: your trumps and winners stay in your hand, and "
        "nothing is at stake in the last trick.",
        "think.bury.marked": "Bury the marked cards: your trumps and winners stay in your hand, "
        "and {points:points} are at stake.",
        "think.bury_nothing.marked": "Bury the marked cards: your trumps and winners stay in your "
        "hand, and nothing is at stake.",
        "think.call": "Call the {card:card}: it should win a trick, and its holder joins you.",
        "think.only": "Play {cards:cards}: the rules let you play nothing else to this trick.",
        "think.last": "Play {cards:cards}: it is all that you have left.",
        "think.join": "Play {cards:cards}, the called card: then you are {koth:whose} teammate. "
        "The others have {against:points}, and below 80 you two rise.",
        "think.lead_to_partner": (
            "Lead {cards:cards}: the player with the called card can win the trick with it."
        ),
        "think.lead_to_win": "Lead {cards:cards}: the trick goes to your side {share:cases}.",
        "think.lead_low": "Lead {cards:cards}: it costs you little, and the trick goes to your "
        "side {share:cases}.",
        "think.win": "Play {cards:cards}: the trick, with {points:points} in it so far, goes to "
        "your side {share:cases}.",
        "think.try": "Play {cards:cards}: it is the best so far, but others may beat it, so the "
        "trick goes to your side {share:cases}.",
        "think.feed": "Play {cards:cards}: {on_top:name} is probably with you and should win, so "
        "give points.",
        "think.leave_to_friend": "Play {cards:cards}: {on_top:name} is probably with you and "
        "should win, so keep your better cards.",
        "think.feed_mate": "Play {cards:cards}: {on_top:name} is on your side and should win, so "
        "give points.",
        "think.leave_to_mate": "Play {cards:cards}: {on_top:name} is on your side and should win, "
        "so keep your better cards.",
        "think.lost": "Play {cards:cards}: the trick is probably lost, and this gives away "
        "{given:points}.",
        "think.lost_nothing": "Play {cards:cards}: the trick is probably lost, and this gives "
        "nothing away.",
        "think.goes": "Play {cards:cards}: the trick goes to your side {share:cases}, and this "
        "puts {given:points} into it.",
        "think.searched": (
            "Play {cards:cards}: in simulated deals, your side ends about {points:points} "
            "better than with {instead:cards}."
        ),
        "think.searched_hill": (
            "Play {cards:cards}: in about {more} more of 100 simulated deals than with "
            "{instead:cards}, your side has the hill in the end."
        ),
    },
    offers={
        "ready": "I am ready",
        "declare": "Declare trump",
        "declare.one": "Declare {choice}",
        "pass": "Pass",
        "pass.ahead": "Pass, unless another player declares first",
        "pass.until": "Pass every time, until the tricks begin",
        "trump": "Make trump",
        "trump.one": "Make {choice} trump",
        "trump.ask": "Make {choice} trump?",
        "bury": "Bury these eight",
        "draft": "Put aside for now",
        "call": "Call a card",
        "call.one": "Call the {choice}",
        "no_call": "Call no card and play alone",
        "no_call.brief": "Call no card",
        "no_call.ask": "Call no card and play alone?",
        "play": "Play",
        "play.one": "Play the {choice}",
        "fix_rounds": "End the match",
    },
    choices={
        "declare": "suit",
        "trump": "suit",
        "bury": "card",
        "draft": "card",
        "call": "card",
        "play": "card",
        "fix_rounds": "more_rounds",
    },
    rules={
        "ready": "getting-ready",
        "declare": "declaring",
        "pass": "declaring",
        "trump": "last-call",
        "bury": "the-buried-cards",
        "draft": "the-buried-cards",
        "call": "calling-a-card",
        "no_call": "calling-a-card",
        "play": "following",
        "fix_rounds": "the-end-of-the-match",
    },
    spellers={
        "rank_name": rank_in_words,
        "suit": lambda suit, names: suit_name(suit),
        "led": lambda suit, names: _("trumps") if suit == TRUMP else suit_name(suit),
        "ranks": ranks,
        "more_rounds": more_rounds,
        "rank": lambda rank, names: rank_in_words(rank_text(rank), names),
        "cards": cards_in_words,
        "draft": cards_in_words,
        "ranks_of": ranks_of,
        "cases": in_how_many_cases,
    },
)
