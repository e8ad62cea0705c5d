"""Invites: all that somebody needs to join a table, as a text short enough for a chat message or a QR code.

Text form: `kaboo1` and base32 (RFC 4648, lower case, no padding) of these bytes, numbers big-endian; white space in it
(a terminal or a letter breaks it into lines) counts for nothing:

    version 1 | length of what follows up to the checksum, 2 bytes | expiry, 4 bytes (seconds since 1970)
    table secret, 16 bytes | number of contacts, 1 to 3
    for each contact: key, 32 bytes | number of addresses, 1 to 4 | the addresses
    for each address: kind (4, 6, or 0) | 4 or 16 address bytes, or length and ASCII letters of a name | port, 2 bytes
    checksum: the first 4 bytes of SHA-256 over a tag and all of the above

The checksum finds typing and copying mistakes; it is no protection, since whoever holds the secret may make invites
anyway.
"""

import base64
import hashlib
import ipaddress
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from p2pkaboo.net.sockets import Address
from p2pkaboo.net.tls import SECRET_BYTES

__all__ = ["MAX_CONTACTS", "MAX_CONTACT_ADDRESSES", "Contact", "Invite", "InviteError"]

VERSION: Final = 1

MAX_CONTACTS: Final = 3
"""Players who can be asked: with three, two may be away; more would make the text too long to read out."""

MAX_CONTACT_ADDRESSES: Final = 4
"""Addresses of one contact: one each of a local network, IPv6, a router's outside and a name."""

_MAX_TEXT: Final = 2048
"""Letters looked at: three contacts with four long names each need 1900."""

_MAX_NAME: Final = 80
"""Letters of a host name here; the DNS allows 253, which no text for people has room for."""

_PREFIX: Final = "kaboo1"
_LINK: Final = "p2pkaboo://"
_TAG: Final = b"p2pkaboo/v1/invite"
_CHECK_BYTES: Final = 4
_NAME: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)(\.(?!-)[a-z0-9-]{1,63}(?<!-))*")
# Chat programs and mail put these around or into long words.
_INVISIBLE: Final = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


class InviteError(ValueError):
    """This is no invite that can be used: one plain sentence says why."""


@dataclass(frozen=True, slots=True)
class Contact:
    """A player who can be reached: 32-byte key, and 1 to 4 addresses (host in its shortest spelling, port)."""

    key: bytes
    addresses: tuple[Address, ...]

    def __post_init__(self) -> None:
        if len(self.key) != 32:
            raise InviteError(f"the key of a contact has 32 bytes, this one has {len(self.key)}")
        if not 1 <= len(self.addresses) <= MAX_CONTACT_ADDRESSES:
            raise InviteError(
                f"a contact has 1 to {MAX_CONTACT_ADDRESSES} addresses, this one has {len(self.addresses)}"
            )
        for host, port in self.addresses:
            _pack_host(host)
            if not 0 < port < 1 << 16:
                raise InviteError(f"the port of {host} is {port}, expected 1 to 65535")


@dataclass(frozen=True, slots=True)
class Invite:
    """`expiry`: seconds since 1970 up to which it may be used; `secret`: the table's 16 bytes; `contacts`: 1 to 3."""

    expiry: int
    secret: bytes
    contacts: tuple[Contact, ...]
    version: int = VERSION

    def __post_init__(self) -> None:
        if self.version != VERSION:
            raise InviteError(f"this invite has version {self.version}, this program knows version {VERSION} only")
        if not 0 <= self.expiry < 1 << 32:
            raise InviteError(f"the expiry of an invite is a time since 1970 below 2^32 s, this one is {self.expiry}")
        if len(self.secret) != SECRET_BYTES:
            raise InviteError(f"a table secret has {SECRET_BYTES} bytes, this one has {len(self.secret)}")
        if not 1 <= len(self.contacts) <= MAX_CONTACTS:
            raise InviteError(f"an invite has 1 to {MAX_CONTACTS} contacts, this one has {len(self.contacts)}")

    def encode(self) -> str:
        """The text form, `kaboo1…`."""
        body = self.expiry.to_bytes(4, "big") + self.secret + bytes([len(self.contacts)])
        for contact in self.contacts:
            body += contact.key + bytes([len(contact.addresses)])
            for host, port in contact.addresses:
                body += _pack_host(host) + port.to_bytes(2, "big")
        data = bytes([self.version]) + len(body).to_bytes(2, "big") + body
        return _PREFIX + base64.b32encode(data + _checksum(data)).decode().rstrip("=").lower()

    def link(self) -> str:
        """The text form as a link that opens the program where it is registered for `p2pkaboo:`."""
        return f"{_LINK}join/{self.encode()}"

    @staticmethod
    def decode(text: str, now: float) -> "Invite":
        """The invite in `text`, also as a link, in upper case, or with white space in it. `now`: seconds since 1970.

        Raises InviteError, and nothing else, for everything that is not an invite usable at `now`.
        """
        invite = _parse(_bytes_of(text))
        if invite.expiry < now:
            day = datetime.fromtimestamp(invite.expiry, UTC).strftime("%Y-%m-%d %H:%M")
            raise InviteError(f"this invite was good until {day} UTC; ask for a new one")
        return invite


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(_TAG + data).digest()[:_CHECK_BYTES]


def _pack_host(host: str) -> bytes:
    """Kind and bytes of a host. Raises InviteError unless it is spelled as it will come out of decoding again."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        # A name of digits and dots only would be an address to others; without a letter it is a mistake.
        if len(host) <= _MAX_NAME and _NAME.fullmatch(host) and re.search("[a-z]", host):
            return bytes([0, len(host)]) + host.encode("ascii")
        raise InviteError(f"{host[:_MAX_NAME]!r} is neither an IP address nor a host name in lower case") from None
    if str(address) != host or getattr(address, "scope_id", None):
        raise InviteError(
            f"the address {host!r} is not in its shortest form, expected {str(address).partition('%')[0]!r}"
        )
    return bytes([address.version]) + address.packed


def _bytes_of(text: str) -> bytes:
    """What the letters stand for, with prefix, alphabet, length and checksum checked."""
    if len(text) > _MAX_TEXT:
        raise InviteError(f"an invite has at most {_MAX_TEXT} letters, this text has {len(text)}")
    word = "".join(text.translate(_INVISIBLE).split()).strip("<>\"'`“”").casefold()
    if word.startswith(_LINK):
        word = word.removeprefix(_LINK).removeprefix("join/").rstrip("/")
    if not word.startswith(_PREFIX):
        if re.match(r"kaboo\d", word):
            raise InviteError("this invite was made by a newer version of this program")
        raise InviteError(f"this is no invite: it does not begin with {_PREFIX}")
    letters = word.removeprefix(_PREFIX)
    wrong = re.search("[^a-z2-7]", letters)
    if wrong:
        raise InviteError(f"this invite is damaged: {wrong.group()!r} cannot stand in it")
    # No number of bytes has 1, 3 or 6 letters beyond a multiple of 8: then one is missing, or one too many.
    odd = len(letters) % 8 in (1, 3, 6)
    even = letters[:-1] if odd else letters
    data = base64.b32decode(even.upper() + "=" * (-len(even) % 8))
    if len(data) < _CHECK_BYTES or _checksum(data[:-_CHECK_BYTES]) != data[-_CHECK_BYTES:]:
        raise _short_or_damaged(data)
    if base64.b32encode(data).decode().rstrip("=").lower() != letters:
        raise InviteError("this invite is damaged: its last letter is not right")
    return data[:-_CHECK_BYTES]


def _short_or_damaged(data: bytes) -> InviteError:
    if len(data) < 3 or (data[0] == VERSION and len(data) < 3 + int.from_bytes(data[1:3], "big") + _CHECK_BYTES):
        return InviteError("this invite is cut short: its end is missing; if it stood on several lines, all are needed")
    return InviteError("this invite is damaged: its checksum does not fit")


class _Reader:
    """Takes bytes off the front. Raises InviteError when there are too few; a right checksum does not rule that out."""

    def __init__(self, data: bytes) -> None:
        self.rest = data

    def take(self, count: int) -> bytes:
        if len(self.rest) < count:
            raise InviteError("this invite is malformed: it ends too early")
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def number(self, size: int = 1) -> int:
        return int.from_bytes(self.take(size), "big")


def _parse(data: bytes) -> Invite:
    reader = _Reader(data)
    version = reader.number()
    if version != VERSION:
        raise InviteError(f"this invite has version {version}, this program knows version {VERSION} only")
    if reader.number(2) != len(reader.rest):
        raise InviteError("this invite is malformed: its length is not what it says")
    expiry, secret = reader.number(4), reader.take(SECRET_BYTES)
    contacts = tuple(_contact(reader) for _ in range(reader.number()))
    if reader.rest:
        raise InviteError("this invite is malformed: something follows its last contact")
    return Invite(expiry, secret, contacts)


def _contact(reader: _Reader) -> Contact:
    key = reader.take(32)
    return Contact(key, tuple((_host(reader), reader.number(2)) for _ in range(reader.number())))


def _host(reader: _Reader) -> str:
    kind = reader.number()
    if kind == 4:
        return str(ipaddress.IPv4Address(reader.take(4)))
    if kind == 6:
        return str(ipaddress.IPv6Address(reader.take(16)))
    if kind == 0:
        # Whatever is not ASCII becomes something that no host name may hold, and is refused with it.
        return reader.take(reader.number()).decode("ascii", "replace")
    raise InviteError(f"this invite is malformed: {kind} is no kind of address, expected 0, 4 or 6")
