"""The tables of the database. The truth is in `matches` and `moves`; `tables.body` is a cache.

Whatever reveals cards is sealed (kaboom.db.encryption). Times are seconds since 1970; table time
leaves out the times when nobody served (kaboom.tables.clock.table_time).
docs/decisions/0003-core-statements.md says why there is no ORM.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")  # SQLite numbers rows only in an INTEGER key

players = Table(
    "players",
    metadata,
    Column("id", Id, primary_key=True),
    Column("key_hash", String(64), nullable=False, unique=True),  # of the first browser's key
    Column("name", String(80), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("acted_at", Float, nullable=False, server_default="0"),  # sat down, spoke, got in …
    Index("ix_players_acted_at", "acted_at"),
)

# The keys of a player's browsers. A key made by a server older than this table is only in `players`
# until it is next used.
keys = Table(
    "keys",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("device", String(40), nullable=False),  # what its owner calls it, or its program
    Column("made_day", Integer, nullable=False),  # days since 1970
    Column("seen_day", Integer, nullable=False),
    Index("ix_keys_player_id", "player_id"),
)

# How somebody signs in on another device. All of it is optional.
accounts = Table(
    "accounts",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("handle", String(80), nullable=False),  # or empty; nobody else is shown it
    Column("look", String(80), unique=True),  # of the handle: no two look alike
    Column("password", Text, nullable=False),  # argon2id, or empty
    Column("words_hash", String(64), unique=True),  # of the nine recovery words
    Column("present", Boolean, nullable=False),  # friends may see when one is here
    Column("made_at", Float, nullable=False),
    # Friends, and clubs of matches at their tables, may see results in their feeds.
    Column("shares", Boolean, nullable=False, server_default=false()),
)

passkeys = Table(
    "passkeys",
    metadata,
    Column("credential", String(1400), primary_key=True),  # its id, in base64url
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("public_key", LargeBinary, nullable=False),  # with the id, as the authenticator gave it
    Column("label", String(40), nullable=False),
    Column("made_day", Integer, nullable=False),
    Column("used_day", Integer, nullable=False),
    Index("ix_passkeys_player_id", "player_id"),
)

# What somebody may do once, for a while: links, challenges, requests to confirm.
offers = Table(
    "offers",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("player_id", Id, ForeignKey("players.id")),  # who offers it; none: nobody yet
    Column("about", LargeBinary, nullable=False),  # sealed
    Column("expires_at", Float, nullable=False),
    Index("ix_offers_player_id", "player_id"),
    Index("ix_offers_expires_at", "expires_at"),
)

# A standing circle with an address of its own.
clubs = Table(
    "clubs",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),  # of its address
    Column("name", String(80), nullable=False),
    Column("asking", Boolean, nullable=False),  # who has the address may ask to join
    Column("phrases", Boolean, nullable=False),  # at its tables only quick phrases are said
    Column("links", Integer, nullable=False),  # rises with each link: older ones lead nowhere
    Column("made_at", Float, nullable=False),
)

# Who is in a club, would be, or was removed.
members = Table(
    "members",
    metadata,
    Column("club_id", Id, ForeignKey("clubs.id"), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("standing", String(8), nullable=False),  # kaboom.social.clubs.roles
    Column("name", String(80), nullable=False),  # what they are called there
    Column("since", Float, nullable=False),
    Index("ix_members_player_id", "player_id"),
)

tables = Table(
    "tables",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("game", String(32), nullable=False),
    Column("match_id", Id),  # the match being played, or the last one
    Column("version", Integer, nullable=False),  # rises with every change
    Column("due_at", Float),  # when the clock must look next, in table time
    Column("body", LargeBinary, nullable=False),  # kaboom.tables.table.Table as JSON, sealed
    Column("listed", Boolean, nullable=False),  # found in the lobby, not only by its link
    Column("password", Text, nullable=False),  # argon2id of the password, or empty
    Column("talk", Integer, nullable=False),  # rises with every line of chat written or deleted
    Column("created_at", Float, nullable=False),
    Column("touched_at", Float, nullable=False),
    # For each decision, where a match is played over days; 0: it is not.
    Column("days", Integer, nullable=False, server_default="0"),
    Column("club_id", Id, ForeignKey("clubs.id")),  # whose members find it
    Index("ix_tables_club_id", "club_id", "touched_at"),
    Index("ix_tables_due_at", "due_at"),
    Index("ix_tables_listed", "listed", "touched_at"),
    Index("ix_tables_touched_at", "touched_at"),
)

matches = Table(
    "matches",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),  # the link of its record
    Column("table_id", Id, ForeignKey("tables.id")),  # none: the table has expired
    Column("number", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    Column("game_version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("names", Text, nullable=False),  # by seat, as JSON
    Column("seed", LargeBinary, nullable=False),  # sealed
    Column("cuts", Text, nullable=False),  # by seat, as JSON
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("outcome", Text),
    Column("digest", String(64)),  # over the whole record, once it is over
    Column("hidden", Boolean, nullable=False),  # its players took it out of public view
    Column("levels", Text, nullable=False, server_default="[]"),  # of its bots by seat, as JSON
    # If seats were drawn: the place each seat's player had before, as JSON.
    Column("drawn", Text, nullable=False, server_default="[]"),
    # Minutes after which spectators see all hands, as its players agreed; 0: they do not.
    Column("hands", Integer, nullable=False, server_default="0"),
    # The label of the board whose deal was played, else empty.
    Column("board", String(64), nullable=False, server_default=text("''")),
    Column("club_id", Id, ForeignKey("clubs.id")),  # of its table
    UniqueConstraint("table_id", "number"),
    Index("ix_matches_club_id", "club_id", "ended_at"),
    Index("ix_matches_ended_at", "ended_at"),
)

moves = Table(
    "moves",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, 3 … without a gap
    Column("cmd", String(64), nullable=False),  # a form sent twice carries the same command id
    Column("text", LargeBinary, nullable=False),  # the move, "0 bid KS", sealed
    Column("at", Float, nullable=False),
    Column("chain", String(64), nullable=False),  # keyed hash over the chain so far and this row
    UniqueConstraint("match_id", "cmd"),
)

# Who sat at which table, and who gave its password (and may watch without a seat).
sittings = Table(
    "sittings",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    Column("sat", Boolean, nullable=False),  # else only let in
    Column("webhook", Text, nullable=False, default=""),  # was used by 0.1.0 alone, as
    Column("failures", Integer, nullable=False, default=0),  # was this
    Column("snoozed_until", Float),  # no calls from this table before; none: none is held back
)

# Who played which match, for a player's own statistics.
parts = Table(
    "parts",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("place", Integer),  # none: nobody won, or it is not over
    Column("gone", Boolean, nullable=False, server_default=false()),  # had left when it ended
    Index("ix_parts_player_id", "player_id", "match_id"),  # the latest ones are soon found
)

# Deals that several tables play (tables/shared_deals). Until it is closed a board is a
# secret.
boards = Table(
    "boards",
    metadata,
    Column("label", String(64), primary_key=True),  # "day 2026-11-22"
    Column("game", String(32), nullable=False),
    Column("options", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),  # sealed
    Column("commitment", String(64), nullable=False),  # of the secret, published beforehand
    Column("cut", String(64), nullable=False),  # drawn when it may be dealt; until then empty
    Column("opens_at", Float, nullable=False),
    Column("closed_at", Float),  # from then on its records may be seen; none: not yet
    Index("ix_boards_opens_at", "opens_at"),
)

# Who has played which board, for its result.
board_tries = Table(
    "board_tries",
    metadata,
    Column("board", String(64), ForeignKey("boards.label"), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("code", String(16), nullable=False),  # of the table
    Column("result", Integer),  # the more the better; none: not over yet
    Index("ix_board_tries_player_id", "player_id"),
)

# What players want of ratings; without a row none of their matches counts.
rating_wishes = Table(
    "rating_wishes",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("counts", Boolean, nullable=False),  # may their matches count?
    Column("shown", String(16), nullable=False),  # to whom: nobody, friends, clubs, everybody
)

# How well players play, game by game (kaboom.ratings.openskill): what rating_steps lead to.
ratings = Table(
    "ratings",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("game", String(32), primary_key=True),
    Column("mu", Integer, nullable=False),  # thousandths
    Column("sigma", Integer, nullable=False),  # thousandths
    Column("played", Integer, nullable=False),  # matches that counted
    Column("last_day", Integer, nullable=False),  # days since 1970
    Index("ix_ratings_game", "game", "mu"),
)

# What each match that counted did to each player's rating, in the order in which it was computed.
rating_steps = Table(
    "rating_steps",
    metadata,
    Column("seq", Id, primary_key=True),
    Column("match_id", Id, ForeignKey("matches.id"), nullable=False),
    Column("seat", Integer, nullable=False),
    Column("game", String(32), nullable=False),
    # The player; less than 0, and always the same, for somebody who is forgotten.
    Column("who", BigInteger, nullable=False),
    Column("day", Integer, nullable=False),  # days since 1970
    Column("place", Integer, nullable=False),  # as it counted: who had left comes last
    Column("nth", Integer, nullable=False),  # match of the same people in 30 days
    Column("mu", Integer, nullable=False),  # after it
    Column("sigma", Integer, nullable=False),
    UniqueConstraint("match_id", "seat"),
    Index("ix_rating_steps_who", "who", "game", "day"),
)

# Records from elsewhere, opened here for a while. Only somebody with the link can find one.
imports = Table(
    "imports",
    metadata,
    Column("code", String(24), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # the file, sealed
    Column("expires_at", Float, nullable=False),
    Index("ix_imports_expires_at", "expires_at"),
)

lines = Table(
    "lines",
    metadata,
    Column("id", Id, primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("name", String(80), nullable=False),  # the writer's name at the time
    Column("text", Text, nullable=False),
    Column("phrase", String(16), nullable=False),  # a quick phrase's key; neither: deleted
    Column("at", Float, nullable=False),
    Column("match", Integer, nullable=False),  # the match it was written in, 0 before the first
    Column("watcher", Boolean, nullable=False),  # written by a spectator
    Index("ix_lines_table_id", "table_id", "id"),
    Index("ix_lines_player_id", "player_id"),
)

mutes = Table(
    "mutes",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("muted_id", Id, ForeignKey("players.id"), primary_key=True),
    Index("ix_mutes_muted_id", "muted_id"),
)

# One-use links that carry a seat to another device. Only the hash of the link's secret is kept.
passes = Table(
    "passes",
    metadata,
    Column("secret_hash", String(64), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), nullable=False),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),  # who gives the seat away
    Column("expires_at", Float, nullable=False),
    Index("ix_passes_player_id", "player_id"),
)

# Sets of options that players have given a name, as kaboom.engine.options.short writes them.
rule_sets = Table(
    "rule_sets",
    metadata,
    Column("id", Id, primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("game", String(32), nullable=False),
    Column("name", String(80), nullable=False),
    Column("options", Text, nullable=False),
    UniqueConstraint("player_id", "game", "name"),
)

# Who are friends: a row for each of the two, so that one index finds both ways.
friends = Table(
    "friends",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("friend_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("since", Float, nullable=False),
    Index("ix_friends_friend_id", "friend_id"),
)

# Who would be a friend of whom, and was not answered yet.
asks = Table(
    "asks",
    metadata,
    Column("from_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("to_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("at", Float, nullable=False),
    Index("ix_asks_to_id", "to_id"),
)

blocks = Table(
    "blocks",
    metadata,
    Column("from_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("to_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("at", Float, nullable=False),
    Index("ix_blocks_to_id", "to_id"),
)

# What somebody tells the host of the server about somebody else, for a while.
reports = Table(
    "reports",
    metadata,
    Column("id", Id, primary_key=True),
    Column("by_id", Id, ForeignKey("players.id")),  # none: forgotten
    Column("about_id", Id, ForeignKey("players.id")),
    Column("code", String(16), nullable=False),  # of the table
    Column("reason", String(16), nullable=False),
    Column("evidence", LargeBinary, nullable=False),  # the last lines of talk, sealed
    Column("at", Float, nullable=False),
    Column("closed", Boolean, nullable=False),
    Index("ix_reports_at", "at"),
    Index("ix_reports_by_id", "by_id", "at"),
    Index("ix_reports_about_id", "about_id"),
)

# What players have written down about their matches, each for themselves.
notes = Table(
    "notes",
    metadata,
    Column("match_id", Id, ForeignKey("matches.id"), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("text", LargeBinary, nullable=False),  # sealed
    Index("ix_notes_player_id", "player_id"),
)

# Password attempts, counted for a while; `id` is the hash of what is counted.
tries = Table(
    "tries",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("made", Integer, nullable=False),
    Column("ends_at", Float, nullable=False),  # counted afresh from then on
    Index("ix_tries_ends_at", "ends_at"),
)

# Forms that made something, and their answers: one that comes twice is done once.
commands = Table(
    "commands",
    metadata,
    Column("who", String(64), primary_key=True),  # hash of the browser's key, or of its address
    Column("id", String(64), primary_key=True),  # hash of the form
    Column("answer", LargeBinary, nullable=False),  # sealed
    Column("done_at", Float, nullable=False),
    Column("kept", Float, nullable=False, server_default="600"),  # seconds
    Index("ix_commands_done_at", "done_at"),
)

# Keys with which programs act for a player. Only their hashes are kept; docs/api.md.
program_keys = Table(
    "program_keys",
    metadata,
    Column("key_hash", String(64), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("name", String(80), nullable=False),  # what its owner calls it
    Column("scopes", String(80), nullable=False),  # what it is good for, with spaces between
    Column("table_code", String(16), nullable=False),  # the only table it is for; empty: any
    Column("made_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Index("ix_program_keys_player_id", "player_id"),
    Index("ix_program_keys_expires_at", "expires_at"),
)

# When a worker last served: one row, once any worker has beaten.
pulse = Table(
    "pulse",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("beat_at", Float, nullable=False),
    Column("given_back", Float, nullable=False),  # seconds by which table time is behind
    Column("outages", Integer, nullable=False),  # how often time was given back
)

# Where a player is called at their turn (kaboom.notifications.channels), and how that went.
ways = Table(
    "ways",
    metadata,
    Column("id", Id, primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), nullable=False),
    Column("kind", String(16), nullable=False),  # mail, push, or the shape of what is posted
    Column("address", LargeBinary, nullable=False),  # sealed
    Column("print", String(64), nullable=False),  # the same for the same address; keyed
    Column("table_id", Id, ForeignKey("tables.id")),  # none: for all of the player's tables
    Column("made_at", Float, nullable=False),
    Column("checked_at", Float),  # when its owner confirmed it; none: it is not called yet
    Column("failures", Integer, nullable=False),  # calls in a row that were given up
    Column("sent_at", Float, nullable=False),  # the last call that arrived; 0: none yet
    Column("secret_hash", String(64), unique=True),  # of the link in its letters
    Index("ix_ways_player_id", "player_id"),
    Index("ix_ways_checked_at", "checked_at", "made_at"),
    Index("ix_ways_print", "print"),
    Index("ix_ways_table_id", "table_id"),
)

# The outbox: one call a way, table and turn. A row stays until the player's next turn there.
calls = Table(
    "calls",
    metadata,
    Column("way_id", Id, ForeignKey("ways.id"), primary_key=True),
    Column("table_id", Id, ForeignKey("tables.id"), primary_key=True),
    Column("turn", Integer, primary_key=True),  # the table's version with which it began
    Column("due_at", Float),  # when it is looked at next; none: it is done
    Column("state", String(8), nullable=False),  # waiting, sent, moot, failed
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # a worker sees to it until then
    Column("nudge", Boolean, nullable=False, server_default=false()),  # somebody asked for it
    Index("ix_calls_due_at", "due_at"),
    Index("ix_calls_table_id", "table_id"),
)

# Calls that are about no turn (kaboom.notifications.reminders). A row goes when it was seen to.
notices = Table(
    "notices",
    metadata,
    Column("way_id", Id, ForeignKey("ways.id"), primary_key=True),
    Column("about", String(40), primary_key=True),  # "check-in CODE", "vote CODE 3", "date 12"
    Column("due_at", Float, nullable=False),  # when it is looked at next
    Column("tries", Integer, nullable=False),
    Column("leased_until", Float, nullable=False),  # a worker sees to it until then
    Index("ix_notices_due_at", "due_at"),
    Index("ix_notices_about", "about"),
)

# When a club means to play, and who of it comes.
club_dates = Table(
    "club_dates",
    metadata,
    Column("id", Id, primary_key=True),
    Column("club_id", Id, ForeignKey("clubs.id"), nullable=False),
    Column("by_id", Id, ForeignKey("players.id")),  # none: forgotten
    Column("game", String(32), nullable=False),
    Column("note", String(80), nullable=False),
    Column("at", Float, nullable=False),  # seconds since 1970
    Index("ix_club_dates_club_id", "club_id", "at"),
    Index("ix_club_dates_by_id", "by_id"),
    Index("ix_club_dates_at", "at"),
)

date_goers = Table(
    "date_goers",
    metadata,
    Column("date_id", Id, ForeignKey("club_dates.id"), primary_key=True),
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Index("ix_date_goers_player_id", "player_id"),
)

# When and how a player wants to be called, whichever way.
call_settings = Table(
    "call_settings",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("quiet_from", Integer),  # minutes of the day in `zone`; none: no quiet hours
    Column("quiet_to", Integer),
    Column("zone", String(64), nullable=False),
    Column("digest", Integer, nullable=False),  # minutes between two calls of a way at least
    Column("language", String(16), nullable=False),
    Column("base", Text, nullable=False),  # what links begin with, as the player came here
    Column("feed_hash", String(64), unique=True),  # of the secret address of the player's turns
    Column("feed", LargeBinary),  # that secret, sealed
    Column("results_hash", String(64)),  # of the secret address of the player's feed of results
    Index("ix_call_settings_results_hash", "results_hash", unique=True),
)

# The last vacation of a player, and how many days of its year they have used.
vacations = Table(
    "vacations",
    metadata,
    Column("player_id", Id, ForeignKey("players.id"), primary_key=True),
    Column("year", Integer, nullable=False),
    Column("used", Integer, nullable=False),  # days
    Column("began_at", Float, nullable=False),
    Column("ends_at", Float, nullable=False),
)

# Keys the server made for itself, shared by all its workers.
server_keys = Table(
    "server_keys",
    metadata,
    Column("name", String(16), primary_key=True),
    Column("value", LargeBinary, nullable=False),  # sealed
)

# Tournaments. What happened in one is in its log; all else is computed (kaboom.tournaments).
tournaments = Table(
    "tournaments",
    metadata,
    Column("id", Id, primary_key=True),
    Column("code", String(16), nullable=False, unique=True),
    Column("host_id", Id, ForeignKey("players.id")),  # who runs it; none: forgotten
    Column("settings", Text, nullable=False),  # kaboom.tournaments.rules.events.Settings as JSON
    Column("seed", LargeBinary, nullable=False),  # sealed
    Column("commitment", String(64), nullable=False),  # the SHA-256 of the seed
    Column("version", Integer, nullable=False),  # the number of the last event
    Column("names", Integer, nullable=False),  # rises when an entrant becomes somebody else
    Column("due_at", Float),  # when it must be looked at next, in table time
    Column("ended", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),  # found in the lobby
    Column("created_at", Float, nullable=False),
    Index("ix_tournaments_due_at", "due_at"),
    Index("ix_tournaments_host_id", "host_id"),
    Index("ix_tournaments_listed", "listed", "created_at"),
)

tournament_events = Table(
    "tournament_events",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, 3 … without a gap
    Column("body", Text, nullable=False),  # kaboom.tournaments.rules.events.Event as JSON
    Column("at", Float, nullable=False),
)

entrants = Table(
    "entrants",
    metadata,
    Column("tournament_id", Id, ForeignKey("tournaments.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # 1, 2, 3 … in the order of entering
    Column("player_id", Id, ForeignKey("players.id")),  # none: a bot, or forgotten
    Column("name", String(80), nullable=False),
    Column("cut", String(80), nullable=False),  # their part in all that is drawn
    UniqueConstraint("tournament_id", "player_id"),
    Index("ix_entrants_player_id", "player_id"),
)

# The tables of a tournament. `pairing` is the event that made the pod, `number` counts from 0.
pods = Table(
    "pods",
    metadata,
    Column("id", Id, primary_key=True),
    Column("tournament_id", Id, ForeignKey("tournaments.id"), nullable=False),
    Column("pairing", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("table_id", Id, ForeignKey("tables.id"), unique=True),  # none: it has expired
    Column("state", String(8), nullable=False),  # open, ready, playing, ended, done, void
    Column("result", Text),  # tournaments.results.PodResult as JSON, written with the match's end
    UniqueConstraint("tournament_id", "pairing", "number"),
    Index("ix_pods_state", "state"),
)
