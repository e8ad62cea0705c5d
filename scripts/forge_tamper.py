"""Ways to cheat for `forge.py`: each changes a message before its own seat signs it."""

from forge import Forge, Tamper, write_move
from forge_seats import Draft

from verifier import encoding as e
from verifier.curve import L
from verifier.encoding import Slot, Value
from verifier.game import Handle
from verifier.moves import Answers, Illegal, Move, NeedClaim, NeedOpen, NeedReshuffle
from verifier.play import play


def _leaves(value: list[Value]) -> list[tuple[list[Value], int]]:
    """Every place in a body that holds something else than an array."""
    found: list[tuple[list[Value], int]] = []
    for place, item in enumerate(value):
        found += _leaves(item) if isinstance(item, list) else [(value, place)]
    return found


def _arrays(value: list[Value]) -> list[list[Value]]:
    return [value] + [each for item in value if isinstance(item, list) for each in _arrays(item)]


def change_leaf(draft: Draft, forge: Forge) -> None:
    """One value in the body becomes another of its type."""
    places = _leaves(draft.body)
    if not places:
        return
    where, place = forge.rng.choice(places)
    old = where[place]
    if isinstance(old, bool):
        where[place] = not old
    elif isinstance(old, int):
        where[place] = old + forge.rng.choice([-1, 1, 7])
    elif isinstance(old, bytes) and old:
        at = forge.rng.randrange(len(old))
        where[place] = old[:at] + bytes([old[at] ^ 1 << forge.rng.randrange(8)]) + old[at + 1 :]
    elif isinstance(old, bytes):
        where[place] = forge.rng.randbytes(forge.rng.choice([1, 64, 64, 96]))
    elif isinstance(old, str):
        where[place] = forge.rng.choice(["own", "other", "", "left", "right", "peek", "spy", "swap", "take", "call"])
    else:
        others: list[Value] = [0, "left", "peek", [1, 0], b""]
        where[place] = forge.rng.choice(others)


def change_array(draft: Draft, forge: Forge) -> None:
    """An element of an array in the body is dropped, said twice, or changes places."""
    rows = [row for row in _arrays(draft.body) if row]
    if not rows:
        return
    row = forge.rng.choice(rows)
    place = forge.rng.randrange(len(row))
    how = forge.rng.randrange(3)
    if how == 0:
        del row[place]
    elif how == 1:
        row.insert(place, row[place])
    else:
        row.append(row.pop(place))


def exchange_proofs(draft: Draft, forge: Forge) -> None:
    """Two leaves of equal length change places."""
    places = _leaves(draft.body)
    if len(places) >= 2:
        (one, i), (two, j) = forge.rng.sample(places, 2)
        one[i], two[j] = two[j], one[i]


def change_head(draft: Draft, forge: Forge) -> None:
    draft.head = forge.rng.choice([forge.rng.randbytes(64), bytes(64), *forge.deal.continued.values()])


def change_elapsed(draft: Draft, forge: Forge) -> None:
    draft.elapsed = max(0, draft.elapsed + forge.rng.choice([-1, -1, -2, -100, 1, 1000]))


def change_kind(draft: Draft, forge: Forge) -> None:
    bodies: dict[str, list[Value]] = {
        "SEEN": [],
        "LEAVE": [],
        "NONE": [b""],
        "READY": [[]],
        "GIFT": [None],
        "OPEN": [[]],
    }
    bodies |= {"SERVE": [[]], "VIEW": [[]], "WITNESS": [[], []], "OPEN1": [[]], "OPEN2": [[]]}
    bodies["DISCLOSE"] = [bytes(32)]
    bodies["ACTION"] = [["call", draft.seat], None, b""]
    bodies["SNAP"] = [200, forge.deal.race_q, bytes(64), ""]
    draft.kind = forge.rng.choice(sorted(bodies))
    draft.body = bodies[draft.kind]


def change_seat(draft: Draft, forge: Forge) -> None:
    draft.seat = (draft.seat + forge.rng.randrange(1, forge.seats + 1)) % 8


def change_slot(draft: Draft, forge: Forge) -> None:
    number, lane, place = draft.slot
    lane = forge.rng.choice([lane, lane, 0, 1, 2, 3])
    number = max(0, number + forge.rng.choice([-3, -2, -1, 0, 0, 1, 1, 2]))
    place = max(0, place + forge.rng.choice([-1, 0, 1, 2])) if lane > e.MAIN else 0
    draft.slot = Slot(number, lane, place)


def change_slot_and_head(draft: Draft, forge: Forge) -> None:
    """A message for a slot that is past or never was, with the head that was right there."""
    change_slot(draft, forge)
    deal = forge.deal
    heads = [deal.continued.get(draft.slot), deal.main.head]
    if deal.pair is not None:
        heads += [deal.pair.head, deal.pair.draw.head, deal.pair.window.head]
    draft.head = next((head for head in heads if head is not None and forge.rng.random() < 0.6), draft.head)


def change_signature(draft: Draft, forge: Forge) -> None:
    draft.signature = forge.rng.randbytes(64)


def other_key(draft: Draft, forge: Forge) -> None:
    """The seat answers with another secret than that of its KEYS."""
    known = forge.secrets.get(draft.seat)
    forge.secrets[draft.seat] = forge.rng.randrange(1, L)
    step = forge.open_step(draft.slot)
    if step is not None and step.kind == draft.kind and draft.kind not in ("KEYS", "ACTION", "SNAP", "NONE", "WITNESS"):
        draft.body = forge.body(step, draft)
    if known is not None:
        forge.secrets[draft.seat] = known


def other_card(draft: Draft, forge: Forge) -> None:
    """A view, reveal or gift of another card, with a right proof."""
    handles = sorted(forge.deal.masked)
    if not handles:
        return
    handle: Handle = forge.rng.choice(handles)
    if draft.kind == "DRAW":
        draft.body = [forge.ask(draft, handle, None)]
    elif draft.kind == "VIEW" and draft.body[0]:
        asks = draft.body[0]
        assert isinstance(asks, list)
        asks[0] = forge.ask(draft, handle, 0)
    elif draft.kind == "REVEAL":
        draft.body[1] = list(handle)
    elif draft.kind == "GIFT":
        draft.body = [None if forge.rng.random() < 0.5 else list(handle)]
    elif draft.kind == "ACTION":
        draft.body[1] = forge.ask(draft, handle, None)
    else:
        change_leaf(draft, forge)


def other_move(draft: Draft, forge: Forge) -> None:
    """Any move at all, most of them illegal."""
    if draft.kind != "ACTION":
        change_leaf(draft, forge)
        return
    game = forge.joined()
    moves = list(forge.candidates(game, draft.seat))
    move = forge.rng.choice(moves)
    if forge.rng.random() < 0.2 and game.active:
        move = forge.rng.choice(list(forge.candidates(game, forge.rng.choice(game.active))))
    draft.body = forge.action_body(draft, game, move)


def hidden_illegal(draft: Draft, forge: Forge) -> None:
    """A move that is legal only as long as no face is known."""
    if draft.kind != "ACTION":
        change_leaf(draft, forge)
        return
    game = forge.joined()
    for move in forge.candidates(game, draft.seat):
        if _may_pass(forge, move) and not forge.legal(game, move):
            draft.body = forge.action_body(draft, game, move)
            return
    other_move(draft, forge)


def _may_pass(forge: Forge, move: Move) -> bool:
    try:
        play(forge.joined(), move, Answers({}))
    except Illegal:
        return False
    except (NeedClaim, NeedOpen, NeedReshuffle):
        return True
    return True


def move_of_any_form(draft: Draft, forge: Forge) -> None:
    """A move whose array is not in order."""
    if draft.kind != "ACTION":
        change_array(draft, forge)
        return
    move: list[Value] = write_move(Move("exchange", draft.seat, handles=tuple(forge.joined().cards_of(draft.seat))))
    forge.rng.choice([change_leaf, change_array])(Draft(*_row(draft), move), forge)
    draft.body = [move, None, b""]


def _row(draft: Draft) -> tuple[Slot, int, bytes, str, int]:
    return draft.slot, draft.seat, draft.head, draft.kind, draft.elapsed


def snap_uninvited(draft: Draft, forge: Forge) -> None:
    """A SNAP in every window, whether the seat may or not."""
    step = forge.open_step(draft.slot)
    if step is None or step.kind != "WINDOW":
        change_leaf(draft, forge)
        return
    made = forge.snap(step, draft.seat, anyhow=True)
    draft.kind, draft.body = made.kind, made.body


def leave_out_draw(draft: Draft, forge: Forge) -> None:
    """An ACTION that joins the lanes without the draw."""
    pair = forge.deal.pair
    if draft.kind != "ACTION" or pair is None:
        change_head(draft, forge)
        return
    draft.head = forge.without_draw(pair)
    if forge.rng.random() < 0.5:
        draft.body = [["take", draft.seat], None, b""]


TAMPERS: tuple[Tamper, ...] = (
    change_leaf,
    change_leaf,
    change_array,
    exchange_proofs,
    change_head,
    change_elapsed,
    change_kind,
    change_seat,
    change_slot,
    change_slot_and_head,
    change_signature,
    other_key,
    other_card,
    other_card,
    other_move,
    other_move,
    other_move,
    hidden_illegal,
    hidden_illegal,
    move_of_any_form,
    snap_uninvited,
    leave_out_draw,
)
