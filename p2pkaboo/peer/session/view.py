"""The rules' state as parts of a table on a screen: hands, pile, the card in hand; for matches and lessons alike."""

from collections.abc import Mapping
from typing import Literal

from p2pkaboo.peer import api
from p2pkaboo.peer.session.choices import power_name
from p2pkaboo.peer.session.memory import Memory
from p2pkaboo.rules.state import Handle, State


def places_of(state: State, seat: int, memory: Memory, public: Mapping[Handle, str]) -> tuple[api.Place, ...]:
    """A hand as the owner of `memory` may see it now. `public`: faces opened to all in this deal."""
    found = []
    for at, handle in enumerate(state.hands[seat]):
        if handle is None:
            found.append(api.Place(position=at, gap=True))
            continue
        why, face = memory.face_of(handle, public, state.face_up)
        found.append(
            api.Place(
                position=at,
                face=face or None,
                why=why,
                looked=memory.lookers(handle),
                fresh=memory.is_fresh(handle),
            )
        )
    return tuple(found)


def revealed_of(state: State, seat: int, faces: Mapping[Handle, str]) -> tuple[api.Place, ...]:
    """A hand at the end of the round, open to all."""
    return tuple(
        api.Place(position=at, gap=handle is None, face=face, why="revealed" if face else "")
        for at, handle in enumerate(state.hands[seat])
        for face in [None if handle is None else faces.get(handle)]
    )


def final_turn_of(state: State, seat: int) -> Literal["", "to_come", "now", "done"]:
    """Where a seat stands in the final turns after a call."""
    if state.caller is None or seat == state.caller or not state.rules.call_final_turns:
        return ""
    if state.turn == seat:
        return "now"
    return "to_come" if seat in state.finals else "done"


def held_of(state: State, you: int | None, memory: Memory, public: Mapping[Handle, str]) -> api.Held | None:
    """The card in the hand of the seat at turn; its face for its holder, or if everybody saw it taken."""
    drawn = state.drawn
    if drawn is None or state.turn is None:
        return None
    if drawn.source == "pile":
        return api.Held(seat=state.turn, face=public.get(drawn.handle), source="discard")
    return api.Held(seat=state.turn, face=memory.seen.get(drawn.handle) if state.turn == you else None)


def discard_of(
    state: State, public: Mapping[Handle, str], *, open_to_snaps: bool, exposure: api.Timer | None
) -> api.Discard:
    """The pile: its top and what lies right below it."""
    faces = [public.get(handle) for handle in state.pile[-3:]]
    top = faces[-1] if faces else None
    below = tuple(face for face in faces[-2::-1] if face is not None)
    return api.Discard(count=len(state.pile), top=top, below=below, snappable=open_to_snaps, exposure=exposure)


def power_now(state: State) -> Literal["", "peek", "spy", "swap", "look-swap", "look-two-swap"]:
    """The power that is being used."""
    power = state.power
    return "" if power is None or power.done else power_name(power.kind)
