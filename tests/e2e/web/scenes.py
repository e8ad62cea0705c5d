"""Moments of a game as snapshots, one for each screen of the page: for looking at it, for accessibility checks and for
screenshots. Nothing here plays; a game is played by real peers in the other tests."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from p2pkaboo.peer import api
from p2pkaboo.peer.api import Choice, LogLine, Place, Say, Seat, Snapshot, Spot, Table, Timer

NAMES = ("Ada", "Ben", "Cleo", "Dana", "Emil", "Fay", "Gus", "Hana")
WORDS = {
    "Ada": ("amber", "otter", "quilt", "nine"),
    "Ben": ("copper", "ladder", "plum", "tide"),
    "Cleo": ("violet", "kettle", "moss", "north"),
    "Dana": ("indigo", "fern", "seven", "gate"),
}
TOTALS = (12, 14, -1, 12, 9, 22, 30, 17)
ME = api.Person(name="Ada", words=WORDS["Ada"])
RULES = (
    api.RulesName(id="sheffield", name="Sheffield Kaboo", preset="sheffield"),
    api.RulesName(id="cabo-standard", name="Cabo, standard deck", preset="cabo-standard", players_max=5),
    api.RulesName(id="cabo-guide", name="CABO guide", preset="cabo-guide", players_max=5),
    api.RulesName(id="kabbu", name="Kabbu", preset="kabbu", players_max=6),
    api.RulesName(id="cabo-online", name="Online Cabo", preset="cabo-online", players_max=5),
    api.RulesName(id="own-1", name="Sunday rules", preset="sheffield", changes=2),
)
STYLES = (
    api.Styles(id="careful", name="Careful"),
    api.Styles(id="greedy", name="Greedy"),
    api.Styles(id="snappy", name="Snap-happy"),
)
SCORES = api.ScoreSheet(
    rounds=(api.ScoreRound(number=1, points=(12, 14, -1, 12), caller=2, call_held=True),),
    totals=(12, 14, -1, 12),
    rounds_in_match=5,
)


def place(seat: int, position: int) -> Spot:
    return Spot(where="place", seat=seat, position=position)


def hand(count: int = 4, gaps: tuple[int, ...] = ()) -> tuple[Place, ...]:
    return tuple(Place(position=i, gap=i in gaps) for i in range(count))


def seats(n: int = 4) -> tuple[Seat, ...]:
    return tuple(
        Seat(
            seat=i,
            name=NAMES[i],
            bot=i > 0,
            words=WORDS.get(NAMES[i], ()),
            total=TOTALS[i],
            proof="verified",
            places=hand(),
        )
        for i in range(n)
    )


def timer(now: int, left: float, total: float = 60, kind: str = "step") -> Timer:
    return Timer(kind=kind, ends_at_ms=now + int(left * 1000), total_ms=int(total * 1000))  # type: ignore[arg-type]


def log(*lines: tuple[str, dict[str, str | int | None], str]) -> tuple[LogLine, ...]:
    return tuple(
        LogLine(number=i, say=Say(key=key, params=params), at_ms=i, tone=tone)  # type: ignore[arg-type]
        for i, (key, params, tone) in enumerate(lines)
    )


LOG = log(
    ("log.round", {"round": 2, "seat": 2}, "turn"),
    ("log.first_look", {}, ""),
    ("log.took", {"seat": 1, "card": "2H"}, ""),
    ("log.exchanged_taken", {"seat": 1, "place": 0, "card_in": "2H", "card": "JS"}, ""),
    ("log.snap_right", {"seat": 1, "place": 1, "card": "JD", "card_on": "JS", "ms": 301}, ""),
    ("log.snap_wrong", {"seat": 2, "place": 3, "card": "9D", "ms": 288}, "bad"),
    ("log.penalty_cards", {"seat": 2, "n": 2, "places": "4 5"}, ""),
    ("log.peeked", {"seat": 3, "place": 1}, ""),
    ("log.exchanged", {"seat": 3, "place": 3, "card": "5D"}, ""),
    ("log.drew", {"seat": 0}, "now"),
)


def base(now: int, n: int = 4, **changes: object) -> Table:
    table = Table(
        name="Kitchen table",
        rules="Sheffield Kaboo",
        preset="sheffield",
        changes=2,
        you=0,
        round=2,
        phase="turn",
        seats=seats(n),
        dealer=2,
        turn=0,
        stock=29,
        discard=api.Discard(
            count=6, top="5D", below=("7S", "JS"), snappable=True, exposure=timer(now, 1.4, 2.5, "exposure")
        ),
        timer=timer(now, 41),
        log=LOG,
        scores=SCORES,
        words=("harbor", "mint", "ladder", "owl"),
        steps=84,
    )
    return _replace(table, changes)


def _replace(table: Table, changes: dict[str, object]) -> Table:
    return replace(table, **changes)


def snap_all(n: int = 4, mine: tuple[int, ...] = (0, 1, 2, 3)) -> Choice:
    return Choice(
        command="snap",
        mine=tuple(place(0, p) for p in mine),
        theirs=tuple(place(s, p) for s in range(1, n) for p in range(4)),
    )


def own(*positions: int) -> tuple[Spot, ...]:
    return tuple(place(0, p) for p in positions)


def start(now: int) -> Snapshot:
    return Snapshot(
        number=1,
        now_ms=now,
        screen="start",
        me=ME,
        rules=RULES,
        styles=STYLES,
        tables=(
            api.FoundTable(id="a", name="Kitchen table", rules="Sheffield, 2 house rules", taken=3, wanted=6),
            api.FoundTable(id="b", name="Office lunch", rules="Cabo, standard deck", taken=2, wanted=4),
            api.FoundTable(id="c", name="Attic", rules="Kabbu", taken=4, wanted=4, playing=True),
        ),
        unfinished=(api.Unfinished(id="s", name="Sunday", round=3, kept_until_ms=now + 48_000),),
    )


def at_table(now: int, table: Table) -> Snapshot:
    return Snapshot(number=2, now_ms=now, screen="table", me=ME, rules=RULES, styles=STYLES, table=table)


def turn(now: int) -> Snapshot:
    return at_table(
        now,
        base(
            now,
            choices=(
                Choice(command="draw"),
                Choice(command="take"),
                Choice(command="call", confirm=True),
                snap_all(),
            ),
        ),
    )


def drawn(now: int) -> Snapshot:
    table = base(now)
    ben, cleo, dana = table.seats[1], table.seats[2], table.seats[3]
    marked = (
        table.seats[0],
        replace(ben, places=hand(4, gaps=(1,))),
        replace(cleo, places=hand(6)),
        replace(dana, places=tuple(replace(p, looked=(3,)) if p.position == 1 else p for p in hand())),
    )
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": marked,
                "phase": "drawn",
                "held": api.Held(seat=0, face="9C"),
                "choices": (
                    Choice(command="exchange", mine=own(0, 1, 2, 3)),
                    Choice(command="discard", power="spy"),
                    snap_all(),
                ),
            },
        ),
    )


def peek(now: int) -> Snapshot:
    table = base(now, rules="Kabbu", preset="kabbu", changes=0, round=3)
    me = replace(
        table.seats[0],
        places=tuple(replace(p, face="6H", why="looking", looked=(0,)) if p.position == 3 else p for p in hand()),
    )
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": (me, *table.seats[1:]),
                "phase": "power",
                "held": api.Held(seat=0, face="8C"),
                "look": timer(now, 2.1, 3.2, "peek"),
                "choices": (Choice(command="seen"), snap_all(mine=(0, 1, 2))),
            },
        ),
    )


def spy(now: int) -> Snapshot:
    table = base(now, n=6, changes=0)
    return at_table(
        now,
        _replace(
            table,
            {
                "phase": "power",
                "power": "spy",
                "discard": api.Discard(
                    count=9, top="9C", below=("2H", "2C"), snappable=True, exposure=timer(now, 1.1, 2.5, "exposure")
                ),
                "scores": api.ScoreSheet(rounds_in_match=5, totals=(0,) * 6),
                "choices": (
                    Choice(command="spy", theirs=tuple(place(s, p) for s in range(1, 6) for p in range(4))),
                    Choice(command="skip", power="spy"),
                ),
            },
        ),
    )


def eight(now: int) -> Snapshot:
    table = base(now, n=8, turn=4, changes=0)
    return at_table(
        now,
        _replace(
            table,
            {
                "choices": (snap_all(8),),
                "scores": api.ScoreSheet(rounds_in_match=5, totals=(0,) * 8),
                "phase": "drawn",
                "held": api.Held(seat=4),
            },
        ),
    )


def snap_race(now: int) -> Snapshot:
    table = base(now)
    ben = replace(
        table.seats[1],
        places=(
            Place(position=0),
            Place(position=1, gap=True),
            Place(position=2, face="9S", why="shown"),
            Place(position=3),
            Place(position=4, fresh=True),
            Place(position=5, fresh=True),
        ),
    )
    cleo = replace(table.seats[2], places=hand(6, gaps=(2,)))
    race = api.Race(
        number=3,
        card="6C",
        settled=True,
        entries=(
            api.RaceEntry(
                seat=1, claim_ms=287, score_ms=287, ruling="wrong", target=place(1, 2), face="9S", penalty_cards=2
            ),
            api.RaceEntry(seat=0, claim_ms=312, score_ms=312, ruling="right", target=place(2, 2), face="6S"),
        ),
    )
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": (table.seats[0], ben, cleo, table.seats[3]),
                "turn": 3,
                "race": race,
                "phase": "gift",
                "gift_from": 0,
                "gift_to": place(2, 2),
                "timer": timer(now, 12, 15, "gift"),
                "discard": api.Discard(count=8, top="6S", below=("6C", "8C")),
                "choices": (Choice(command="give", mine=own(0, 1, 2, 3)), Choice(command="no_gift")),
            },
        ),
    )


def final(now: int) -> Snapshot:
    table = base(now, round=4)
    called = replace(table.seats[1], called=True, hands_off=True, places=hand(4, gaps=(2,)))
    done = tuple(replace(s, final_turn="done") for s in table.seats[2:])
    me = replace(table.seats[0], final_turn="now", places=hand(4, gaps=(3,)))
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": (me, called, *done),
                "caller": 1,
                "stock": 17,
                "discard": api.Discard(
                    count=20, top="8H", below=("KC", "KS"), snappable=True, exposure=timer(now, 0.8, 2.5, "exposure")
                ),
                "choices": (
                    Choice(command="draw"),
                    Choice(command="take"),
                    Choice(command="call", off="called_already"),
                ),
            },
        ),
    )


def dealing(now: int) -> Snapshot:
    table = base(now, phase="dealing", turn=None, stock=0, discard=api.Discard(), choices=(), log=LOG[:1])
    shuffles = (
        api.ShuffleStep(seat=1, state="done", took_ms=80, checked_by=(0,)),
        api.ShuffleStep(seat=0, state="done", took_ms=90),
        api.ShuffleStep(seat=2, state="working"),
        api.ShuffleStep(seat=3, state="waiting"),
    )
    empty = tuple(replace(s, places=hand(4, gaps=(0, 1, 2, 3)), proof="none") for s in table.seats)
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": empty,
                "timer": None,
                "dealing": api.Dealing(keys=4, shuffles=shuffles, cards=54, since_ms=now, stage="shuffles"),
            },
        ),
    )


def checking(now: int) -> Snapshot:
    """Eight seats have shuffled; Ada has checked all of them, two of the others have shown that they have too."""
    table = base(now, n=8, phase="dealing", turn=None, stock=0, discard=api.Discard(), choices=(), log=LOG[:1])
    done = {0, 2, 5}
    shuffles = tuple(
        api.ShuffleStep(seat=seat, state="done", took_ms=85, checked_by=tuple(sorted(done - {seat})))
        for seat in range(8)
    )
    empty = tuple(replace(s, places=hand(4, gaps=(0, 1, 2, 3)), proof="verified") for s in table.seats)
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": empty,
                "timer": None,
                "dealing": api.Dealing(keys=8, shuffles=shuffles, cards=108, since_ms=now, stage="hands"),
            },
        ),
    )


def result(now: int) -> Snapshot:
    rounds = (
        api.ScoreRound(number=1, points=(12, 14, -1, 12), caller=2, call_held=True),
        api.ScoreRound(number=2, points=(12, 3, 8, 17), caller=3, call_held=False),
        api.ScoreRound(number=3, points=(7, 12, 11, 11), caller=1, call_held=False),
        api.ScoreRound(number=4, points=(7, -2, 27, 24), caller=1, call_held=True),
    )
    rows = (
        api.ResultRow(seat=0, cards=("3C", "X1", "5H", None), values=(3, -1, 5, None), hand=7, points=7),
        api.ResultRow(
            seat=1,
            cards=("AS", "2D", None, "KH"),
            values=(1, 2, None, 0),
            hand=3,
            points=-2,
            notes=(Say(key="note.call_won", params={"n": -5}),),
        ),
        api.ResultRow(seat=2, cards=("6S", "9H", "2C", "TD"), values=(6, 9, 2, 10), hand=27, points=27),
        api.ResultRow(seat=3, cards=("QC", "4S", "AD", "7S"), values=(12, 4, 1, 7), hand=24, points=24),
    )
    table = base(now, round=4, phase="round_over", turn=None)
    ready = tuple(replace(s, ready=s.seat in (1, 2)) for s in table.seats)
    return at_table(
        now,
        _replace(
            table,
            {
                "seats": ready,
                "caller": 1,
                "timer": timer(now, 14, 20, "between"),
                "scores": api.ScoreSheet(
                    rounds=rounds,
                    totals=(38, 27, 45, 64),
                    rounds_in_match=5,
                    conduct=(Say(key="conduct.strikes", params={"seat": 2, "n": 1}),),
                ),
                "choices": (Choice(command="ready"),),
                "result": api.RoundResult(
                    number=4,
                    ended="called",
                    caller=1,
                    call_held=True,
                    rows=rows,
                    verdict=api.Verdict(
                        verdict="valid", signatures=901, proofs=655, moves=120, cards=54, races=1, signed=(0, 1, 2, 3)
                    ),
                ),
            },
        ),
    )


def cheat(now: int) -> Snapshot:
    table = base(now, phase="stopped", turn=None)
    caught = api.Caught(
        seat=3,
        verdict="bad-share",
        round=2,
        step=117,
        slot="31w2",
        what=Say(key="caught.bad-share", params={"seat": 3}),
        harm=Say(key="harm.none"),
        place=place(1, 2),
        words=WORDS["Dana"],
        found_by=(
            api.Witness(seat=0, after_ms=3),
            api.Witness(seat=1, after_ms=4),
            api.Witness(seat=2, after_ms=24),
        ),
        evidence="step117.kaboo",
    )
    return at_table(
        now,
        _replace(
            table,
            {
                "caught": caught,
                "timer": None,
                "choices": (Choice(command="ready"), Choice(command="stop_match")),
            },
        ),
    )


def lobby(now: int) -> Snapshot:
    def friend(name: str, **more: object) -> api.Friend:
        return api.Friend(key=name, name=name, words=WORDS[name], **more)  # type: ignore[arg-type]

    friends = (
        friend("Ada", you=True, route="self", ready=True),
        friend("Ben", route="lan", ping_ms=0.4, ready=True, matches=12, words_match=True),
        friend("Cleo", route="ipv6", ping_ms=21.0, ready=True, matches=3, words_match=True),
        friend("Dana", route="relay", via="Cleo", ping_ms=58.0),
    )
    rows = tuple("".join("1" if (x * y + x + y * 3) % 3 == 0 else "0" for x in range(33)) for y in range(33))
    return Snapshot(
        number=3,
        now_ms=now,
        screen="lobby",
        me=ME,
        rules=RULES,
        styles=STYLES,
        lobby=api.Lobby(
            name="Kitchen table",
            opener=True,
            private=False,
            invite="kaboo1aebqc2lt7ym4xkpdq3rnovfh52gwuuz6ae3kfdypm7tc",
            link="p2pkaboo://kaboo1aebqc2lt7ym4xkpdq3rnovfh52gwuuz6ae3kfdypm7tc",
            qr=rows,
            expires_at_ms=now + 7_200_000,
            seats=6,
            friends=friends,
            rules=api.RulesName(id="sheffield", name="Sheffield Kaboo", preset="sheffield", changes=2),
            reach=(
                api.Reach(way="lan", state="open"),
                api.Reach(way="near", state="yes", detail="192.168.1.20:27620"),
                api.Reach(way="ipv6", state="open", detail="[2001:db8::7]:27620"),
                api.Reach(way="mapping", state="no"),
            ),
            waiting_for=("Dana",),
        ),
    )


def guest(now: int) -> Snapshot:
    """A lobby that somebody came to by invite: the opener has not said yet what is played."""
    opened = lobby(now)
    assert opened.lobby is not None
    ben, ada = opened.lobby.friends[1], opened.lobby.friends[0]
    me = replace(ben, you=True, route="self", ping_ms=None, ready=False)
    seen = replace(
        opened.lobby,
        name="",
        opener=False,
        host="Ada",
        rules_here=False,
        invite="",
        link="",
        qr=(),
        expires_at_ms=None,
        seats=8,
        friends=(me, replace(ada, you=False, route="direct", ping_ms=21.0)),
        rules=api.RulesName(id="", name="", preset="sheffield"),
        reach=(),
        waiting_for=(),
    )
    return replace(opened, lobby=seen)


def told(now: int) -> Snapshot:
    """The same guest's lobby a moment later: the opener has said what is going to be played."""
    shown, opened = guest(now), lobby(now)
    assert shown.lobby is not None
    assert opened.lobby is not None
    known = replace(shown.lobby, name=opened.lobby.name, rules=opened.lobby.rules, seats=6, rules_here=True)
    return replace(shown, lobby=known)


def rules_changed(now: int) -> Snapshot:
    """The opener offers other rules than those that the guest was ready for."""
    shown = told(now)
    assert shown.lobby is not None
    changed = replace(shown.lobby.rules, changes=3)
    problem = api.Say(key="notice.rules_changed", params={"what": "match.rounds = 1 instead of 5"})
    return replace(shown, lobby=replace(shown.lobby, rules=changed, problem=problem))


SCENES: dict[str, Callable[[int], Snapshot]] = {
    "start": start,
    "lobby": lobby,
    "guest": guest,
    "told": told,
    "rules_changed": rules_changed,
    "dealing": dealing,
    "checking": checking,
    "turn": turn,
    "drawn": drawn,
    "peek": peek,
    "spy-six": spy,
    "eight": eight,
    "race": snap_race,
    "final": final,
    "result": result,
    "cheat": cheat,
}


def rules_sheet() -> api.RulesSheet:
    def row(key: str, kind: str, value: api.Value, source: str = "default", **more: object) -> api.RuleRow:
        group = key.split(".")[0]
        default = more.pop("default", value)
        return api.RuleRow(key=key, group=group, kind=kind, value=value, default=default, source=source, **more)  # type: ignore[arg-type]

    return api.RulesSheet(
        rules=RULES[0],
        rows=(
            row("deck.jokers", "number", 2, least=0, most=4),
            row("values.KR", "number", 0, "text", least=-1, most=30),
            row("turn.take", "switch", True, "text"),
            row("multi.max", "number", 0, "changed", default=1, least=0, most=4),
            row("timer.step_s", "choice", 60, "changed", default=0, choices=(0, 30, 60, 90)),
            row("snap", "choice", "any", "text", choices=("off", "any", "own-then-others")),
            row(
                "snap.wrong_cards",
                "number",
                2,
                "text",
                least=0,
                most=4,
                quote='"An incorrect snap, however, adds two penalty cards to your hand."',
            ),
            row("snap.exposure_ms", "number", 2500, least=0, most=10000, step=500),
            row("call.final_turns", "switch", True, "text"),
            row("caller.protect", "fixed", "snap, swap, spy"),
            row("match.rounds", "number", 5, least=0, most=20),
            row("multi.fail", "choice", "discard", choices=("keep", "discard", "keep-end")),
        ),
    )


def report() -> api.Report:
    def knew(seat: int, since: float, key: str, turn: int = 0) -> api.Knew:
        return api.Knew(seat=seat, since=since, how=Say(key=key, params={"turn": turn} if turn else {}))

    cards = (
        api.KnownCard(seat=0, position=0, face="3C", knew=(knew(0, 0, "knew.first_look"),)),
        api.KnownCard(
            seat=0,
            position=1,
            face="X1",
            knew=(knew(0, 0, "knew.first_look"), knew(1, 0.41, "knew.looked", 9)),
        ),
        api.KnownCard(seat=1, position=0, face="AS", knew=(knew(1, 0, "knew.first_look"),)),
        api.KnownCard(seat=2, position=2, face="2C"),
        api.KnownCard(
            seat=2,
            position=3,
            face="TD",
            knew=(*(knew(s, 0.86, "knew.pile") for s in (0, 1, 3)), knew(2, 0.86, "knew.took", 19)),
        ),
    )
    return api.Report(
        match="m1",
        table="Kitchen table",
        round=4,
        rounds=4,
        names=NAMES[:4],
        you=0,
        verdict=api.Verdict(
            verdict="valid", signatures=901, proofs=655, moves=120, cards=54, races=1, signed=(0, 1, 2, 3)
        ),
        words=("pepper", "canal", "wool", "dune"),
        cards=cards,
        file="round4.kaboo",
    )


def steps() -> api.Steps:
    return api.Steps(
        match="m1",
        round=4,
        names=NAMES[:4],
        total=4,
        steps=(
            api.Step(
                number=1, slot="1", kind="KEYS", seats=(0, 1, 2, 3), say=Say(key="step.keys"), proofs=4, bytes=900
            ),
            api.Step(
                number=2,
                slot="2",
                kind="SHUFFLE",
                seats=(2,),
                say=Say(key="step.shuffle", params={"seat": 2}),
                proofs=1,
                bytes=21000,
            ),
            api.Step(
                number=3,
                slot="9d0",
                kind="DRAW",
                seats=(1,),
                say=Say(key="step.draw", params={"seat": 1}),
                proofs=1,
                bytes=300,
            ),
            api.Step(
                number=4,
                slot="9w1",
                kind="WITNESS",
                seats=(0, 1, 2, 3),
                say=Say(key="step.witness"),
                bytes=800,
                ok=False,
            ),
        ),
    )


def history() -> api.History:
    return api.History(
        matches=(
            api.PastMatch(
                id="m1",
                name="Kitchen table",
                rules="Sheffield Kaboo",
                ended_at="2026-11-28T21:14",
                players=NAMES[:4],
                totals=(38, 27, 45, 64),
                you=0,
                winners=(1,),
                rounds=5,
                verdict="valid",
            ),
        )
    )


def score_pad() -> api.ScorePad:
    return api.ScorePad(
        names=("Ada", "Ben", "Cleo"),
        rounds=((5, 12, -1), (7, 0, 20)),
        totals=(12, 12, 19),
        leaders=(0, 1),
        can_undo=True,
    )


RESULTS: dict[type[api.Command], api.AnyResult] = {
    api.ShowRules: rules_sheet(),
    api.ShowReport: report(),
    api.ShowSteps: steps(),
    api.ShowHistory: history(),
    api.ScoreShow: score_pad(),
}

PAGES = ("host", "rules", "learn", "history", "check", "score", "settings", "report", "steps", "help")
