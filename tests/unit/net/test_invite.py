import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pkaboo.net import invite as invites
from p2pkaboo.net.invite import Contact, Invite, InviteError

NOW = 1_800_000_000
INVITE = Invite(
    NOW + 3600,
    bytes(range(16)),
    (Contact(bytes(range(32)), (("192.168.1.20", 27620), ("2001:db8::7", 27620), ("kitchen.example", 443))),),
)

names = st.from_regex(r"[a-z][a-z0-9]{0,8}(\.[a-z]{1,5}){0,2}", fullmatch=True)
hosts = st.ip_addresses(v=4).map(str) | st.ip_addresses(v=6).map(str) | names
contacts = st.builds(
    Contact,
    st.binary(min_size=32, max_size=32),
    st.lists(st.tuples(hosts, st.integers(1, 65535)), min_size=1, max_size=4).map(tuple),
)
all_invites = st.builds(
    Invite,
    st.integers(NOW, 2**32 - 1),
    st.binary(min_size=16, max_size=16),
    st.lists(contacts, min_size=1, max_size=3).map(tuple),
)


def text_of(data: bytes) -> str:
    """An invite around any bytes, with a right checksum."""
    return "kaboo1" + base64.b32encode(data + invites._checksum(data)).decode().rstrip("=").lower()


def bytes_of(invite: Invite) -> bytes:
    return invites._bytes_of(invite.encode())


@given(all_invites)
def test_decoding_gives_back_what_was_encoded(invite: Invite) -> None:
    assert Invite.decode(invite.encode(), NOW) == invite
    assert Invite.decode(invite.link(), NOW) == invite


def test_one_contact_with_two_addresses_is_about_150_letters() -> None:
    invite = Invite(NOW, bytes(16), (Contact(bytes(32), (("192.168.1.20", 27620), ("2001:db8::7", 27620))),))
    assert len(invite.encode()) <= 150


@pytest.mark.parametrize(
    "text",
    [
        INVITE.encode().upper(),
        "  " + INVITE.encode() + "\n",
        INVITE.encode()[:40] + "\r\n   " + INVITE.encode()[40:90] + "\u200b\u00a0" + INVITE.encode()[90:],
        f"<{INVITE.link()}>",
        f'"{INVITE.encode()}"',
        INVITE.link().upper(),
        INVITE.link() + "/",
        "p2pkaboo://" + INVITE.encode(),
    ],
)
def test_people_and_chat_programs_may_bend_it(text: str) -> None:
    assert Invite.decode(text, NOW) == INVITE


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "does not begin with kaboo1"),
        ("hello", "does not begin with kaboo1"),
        ("https://" + INVITE.encode(), "does not begin with kaboo1"),
        ("kaboo2" + INVITE.encode()[6:], "newer version"),
        ("kaboo1", "cut short"),
        (INVITE.encode()[:-1], "cut short"),
        (INVITE.encode()[:-20], "cut short"),
        (INVITE.encode()[:9], "cut short"),
        (INVITE.encode()[:50] + "!" + INVITE.encode()[51:], "'!' cannot stand in it"),
        (INVITE.encode()[:50] + "aa" + INVITE.encode()[52:], "checksum"),
        (INVITE.encode() + "aaaaaaaa", "checksum"),
        ("kaboo1" + "a" * 3000, "at most 2048 letters"),
    ],
)
def test_each_fault_has_its_sentence(text: str, reason: str) -> None:
    with pytest.raises(InviteError, match=reason):
        Invite.decode(text, NOW)


def test_an_expired_invite_is_refused_to_the_second() -> None:
    assert Invite.decode(INVITE.encode(), INVITE.expiry) == INVITE
    with pytest.raises(InviteError, match="good until 2027-01-15 09:00 UTC"):
        Invite.decode(INVITE.encode(), INVITE.expiry + 1)


def test_faults_behind_a_right_checksum() -> None:
    data = bytes_of(INVITE)
    start = 1 + 2 + 4 + 16  # where the number of contacts stands

    def resized(body: bytes) -> bytes:
        return data[:1] + len(body).to_bytes(2, "big") + body

    for changed, reason in (
        (b"\x02" + data[1:], "version 2, this program knows version 1"),
        (data + b"\x00", "length is not what it says"),
        (resized(data[3:] + b"\x00"), "something follows"),
        (resized(data[3:-1]), "ends too early"),
        (data[:start] + b"\x00" + data[start + 1 :], "something follows"),
        (resized(data[3:start] + b"\x00"), "1 to 3 contacts, this one has 0"),
        (resized(data[3:start] + b"\x04" + data[start + 1 :] * 4), "1 to 3 contacts, this one has 4"),
        (data[: start + 34] + b"\x05" + data[start + 35 :], "5 is no kind of address"),
        (data[:-2] + b"\x00\x00", "expected 1 to 65535"),
        (data[:-4] + b"\xc3\xa9" + data[-2:], "neither an IP address nor a host name"),
    ):
        with pytest.raises(InviteError, match=reason):
            Invite.decode(text_of(changed), NOW)


@given(st.text(max_size=60) | st.text(string.ascii_lowercase + "234567", max_size=300).map("kaboo1".__add__))
def test_any_text_gives_an_invite_or_an_invite_error(text: str) -> None:
    with pytest.raises(InviteError):
        Invite.decode(text, NOW)


@given(st.binary(max_size=120))
def test_any_bytes_with_a_right_checksum_give_an_invite_or_an_invite_error(data: bytes) -> None:
    try:
        invite = Invite.decode(text_of(data), 0)
    except InviteError:
        return
    assert bytes_of(invite) == data


@given(all_invites, st.data())
def test_a_changed_letter_never_goes_unnoticed(invite: Invite, data: st.DataObject) -> None:
    text = invite.encode()
    place = data.draw(st.integers(0, len(text) - 1))
    letter = data.draw(st.sampled_from(string.ascii_lowercase + string.digits + "-é").filter(text[place].__ne__))
    with pytest.raises(InviteError):
        Invite.decode(text[:place] + letter + text[place + 1 :], NOW)


@given(all_invites, st.data())
def test_a_missing_or_added_letter_never_goes_unnoticed(invite: Invite, data: st.DataObject) -> None:
    text = invite.encode()
    place = data.draw(st.integers(6, len(text) - 1))
    with pytest.raises(InviteError):
        Invite.decode(text[:place] + text[place + 1 :], NOW)
    with pytest.raises(InviteError):
        Invite.decode(text[:place] + data.draw(st.sampled_from("abc27")) + text[place:], NOW)


@pytest.mark.parametrize(
    ("host", "reason"),
    [
        ("", "neither"),
        ("1.2.3", "neither"),
        ("Kitchen", "neither"),
        ("a..b", "neither"),
        ("-a", "neither"),
        ("a" * 81, "neither"),
        ("2001:0db8::7", "shortest form, expected '2001:db8::7'"),
        ("fe80::1%eth0", "shortest form"),
    ],
)
def test_hosts_that_cannot_be_written_are_refused(host: str, reason: str) -> None:
    with pytest.raises(InviteError, match=reason):
        Contact(bytes(32), ((host, 1),))


def test_wrong_parts_are_refused_when_an_invite_is_made() -> None:
    contact = INVITE.contacts[0]
    for make, reason in (
        (lambda: Contact(bytes(31), contact.addresses), "32 bytes, this one has 31"),
        (lambda: Contact(bytes(32), ()), "1 to 4 addresses, this one has 0"),
        (lambda: Contact(bytes(32), (("a", 1),) * 5), "1 to 4 addresses, this one has 5"),
        (lambda: Contact(bytes(32), (("a", 0),)), "expected 1 to 65535"),
        (lambda: Invite(-1, bytes(16), (contact,)), "this one is -1"),
        (lambda: Invite(1 << 32, bytes(16), (contact,)), "below 2\\^32"),
        (lambda: Invite(0, bytes(15), (contact,)), "16 bytes, this one has 15"),
        (lambda: Invite(0, bytes(16), (contact,) * 4), "this one has 4"),
        (lambda: Invite(0, bytes(16), (contact,), version=2), "version 2"),
    ):
        with pytest.raises(InviteError, match=reason):
            make()
