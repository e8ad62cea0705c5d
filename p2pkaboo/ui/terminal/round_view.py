"""The end of a round: hands turned up, points, the audit's verdict, the score sheet; and a cheat caught."""

from rich.text import Text

from p2pkaboo.peer.api import Caught, ResultRow, RoundResult, ScoreSheet, Table, Verdict
from p2pkaboo.ui.terminal.cards_view import face_text, left
from p2pkaboo.ui.terminal.say import Voice
from p2pkaboo.ui.terminal.texts import listed, signed, t
from p2pkaboo.ui.terminal.widgets import FADED, HEAD, RED, YELLOW, fold, pad

NAME_WIDTH = 14
CARD_WIDTH = 9
GOOD = "bold green"


def headline(table: Table, result: RoundResult, voice: Voice) -> Text:
    """What ended the round, and who won the match if that was the last one."""
    parts: list[Text] = []
    if result.caller is not None and result.call_held is not None:
        key = "result.call_holds" if result.call_held else "result.call_fails"
        parts.append(voice.phrase(key, seat=result.caller, name=voice.name(result.caller)))
    else:
        parts.append(Text(t(f"result.{result.ended}")))
    if result.match_over and result.winners:
        if result.winners == (voice.you,):
            parts.append(Text(t("result.won.you")))
        else:
            names = listed([voice.who(seat) for seat in result.winners])
            won = Text(t("result.won" if len(result.winners) == 1 else "result.shared", names=names))
            parts.append(Text(won.plain[:1].upper() + won.plain[1:]))
    text = Text(" ").join(parts)
    text.stylize(HEAD)
    return text


def result_lines(table: Table, result: RoundResult, voice: Voice, width: int) -> list[Text]:
    lines = [*fold(headline(table, result, voice), width), Text()]
    for row in result.rows:
        lines += hand_lines(row, voice, width)
    lines.append(Text())
    lines += verdict_lines(result.verdict, result.number, len(table.seats), voice, width)
    lines += conduct_lines(table.scores, voice, width, warnings=True)
    return lines


def hand_lines(row: ResultRow, voice: Voice, width: int) -> list[Text]:
    """One hand: every card with what it counts, the hand's sum, and what the round gave."""
    name = pad(voice.name(row.seat), NAME_WIDTH)
    name.stylize(HEAD)
    cards = Text()
    for face, value in zip(row.cards, row.values, strict=False):
        shown = (
            Text(t("result.gap").center(3), FADED)
            if face is None
            else Text.assemble(face_text(face, voice), (f" {signed(value)}" if value is not None else "", FADED))
        )
        cards.append_text(pad(shown, CARD_WIDTH))
    counted = Text.assemble(
        (t("result.hand", n=signed(row.hand)), FADED),
        "  ",
        (t("result.points", n=signed(row.points) if row.points <= 0 else f"+{row.points}"), HEAD),
    )
    line = Text.assemble(name, cards, "  ", counted)
    lines = [line] if line.cell_len <= width else [Text.assemble(name, counted), *_inset(fold(cards, width - 2))]
    for note in row.notes:
        lines += [Text.assemble(" " * NAME_WIDTH, piece) for piece in fold(voice.say(note), width - NAME_WIDTH)]
    return lines


def _inset(rows: list[Text]) -> list[Text]:
    return [Text.assemble("  ", row) for row in rows]


def verdict_lines(verdict: Verdict, number: int, seats: int, voice: Voice, width: int) -> list[Text]:
    """Your own computer's audit of the round, in one or two sentences."""
    if verdict.verdict == "pending":
        return [Text(t("result.pending"), FADED)]
    if verdict.verdict != "valid":
        words = [t("result.bad", n=number, verdict=verdict.verdict), verdict.reason]
        if verdict.seat is not None:
            words.append(t("result.bad_where", name=voice.name(verdict.seat), step=verdict.step))
        return fold(Text(" ".join(word for word in words if word), RED), width)
    good = Text(t("result.ok", n=number), GOOD)
    detail = t(
        "result.ok_detail",
        signatures=verdict.signatures,
        proofs=verdict.proofs,
        moves=verdict.moves,
        cards=verdict.cards,
    )
    signed_by = t("result.signed", n=len(verdict.signed), total=seats) if verdict.signed else ""
    return fold(Text.assemble(good, (f" {detail} {signed_by}", FADED)), width)


def ready_lines(table: Table, result: RoundResult, voice: Voice, now_ms: int, width: int) -> list[Text]:
    """Who is ready for the next round and when it starts at the latest."""
    if result.match_over:
        return []
    reading = [seat for seat in table.seats if seat.link in ("here", "silent", "away") and not seat.ready]
    names = listed([voice.who(seat.seat) for seat in reading])
    mine = table.you is not None and table.seats[table.you].ready
    words = t("result.ready.you", names=names) if mine else t("result.reading", names=names) if names else ""
    if table.timer is not None:
        words = f"{words} {t('result.starts', left=left(table.timer, now_ms))}"
    return fold(Text(words, FADED), width)


def score_lines(sheet: ScoreSheet, voice: Voice, width: int) -> list[Text]:
    """The score sheet: one line a round, one column a seat; ▲ and ▽ say how the call went."""
    ending = t("scores.lowest")
    if sheet.rounds_in_match:
        ending = t("scores.rounds", n=sheet.rounds_in_match)
    elif sheet.target:
        ending = t(f"scores.{sheet.target_when}", n=sheet.target)
    lines = [Text(ending, FADED), Text()]
    conduct = conduct_lines(sheet, voice, width)
    if conduct:
        conduct.insert(0, Text())
    if not sheet.rounds:
        return [*lines, Text(t("scores.none")), *conduct]
    column = max(8, min(NAME_WIDTH, (width - 8) // max(1, len(voice.names))))
    head = pad(t("scores.round"), 8)
    for name in voice.names:
        head.append_text(pad(f"{name[: column - 2]:>{column - 2}}  ", column))
    head.stylize(HEAD)
    lines.append(head)
    for played in sheet.rounds:
        row = pad(str(played.number), 8)
        for seat, points in enumerate(played.points):
            mark = "  "
            if played.caller == seat and played.call_held is not None:
                mark = " ▲" if played.call_held else " ▽"
            if seat in played.resets:
                mark = " ↺"
            shown = "·" if points is None else signed(points)
            row.append_text(pad(f"{shown:>{column - 2}}{mark}", column))
        lines.append(row)
    total = pad(t("scores.total"), 8)
    for points in sheet.totals:
        total.append_text(pad(f"{signed(points):>{column - 2}}  ", column))
    total.stylize(YELLOW)
    return [*lines, total, Text(), *fold(Text(t("scores.legend"), FADED), width), *conduct]


def conduct_lines(sheet: ScoreSheet, voice: Voice, width: int, *, warnings: bool = False) -> list[Text]:
    """What the snap races show of the players, a warning marked; `warnings`: nothing else."""
    lines = []
    for sentence in sheet.conduct:
        warns = sentence.key.endswith("_warn")
        if warns or not warnings:
            said = Text("! ", YELLOW) if warns else Text()
            said.append_text(voice.say(sentence))
            lines += fold(said, width)
    return lines


def caught_lines(caught: Caught, voice: Voice, width: int) -> list[Text]:
    """A refused message in plain words: what, which place, who found it, whether it was an accident, what now."""
    name = voice.name(caught.seat)
    title = voice.phrase("cheat.title", seat=caught.seat, name=name)
    title.stylize(RED)
    where = t("cheat.where", n=caught.round, step=caught.step, slot=caught.slot, verdict=caught.verdict)
    parts: list[Text] = [title, Text(where, FADED), Text(), voice.say(caught.what)]
    place = caught.place
    if place is not None and place.seat is not None and place.position is not None:
        parts.append(voice.phrase("cheat.place", whose=voice.whose(place.seat), place=place.position))
    if caught.found_by:
        parts.append(Text(t("cheat.found", names=listed([_found(w.seat, w.after_ms, voice) for w in caught.found_by]))))
    harm = voice.phrase("cheat.harm")
    harm.append_text(voice.say(caught.harm))
    parts += [Text(), harm, voice.phrase("cheat.accident")]
    parts.append(voice.phrase(f"cheat.{caught.next}", n=caught.round, name=name))
    if caught.words:
        parts += [Text(), Text(t("cheat.words", name=name, words=" ".join(caught.words)), FADED)]
    evidence = t("cheat.evidence", path=caught.evidence) if caught.evidence else t("cheat.no_evidence")
    parts += [Text(), Text(evidence)]
    return [line for part in parts for line in fold(part, width)]


def _found(seat: int, after_ms: int | None, voice: Voice) -> str:
    if after_ms is None:
        return voice.who(seat)
    return t("cheat.found_one", name=voice.who(seat), n=after_ms)
