"""Which user of this computer holds the other end of a loopback connection, where the system tells (Linux: proc(5),
/proc/net/tcp).

The launch token alone does not keep other users out: a browser is started with the page's address on its command line,
and on most systems everybody can read everybody's.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from socket import inet_aton
from typing import Final

TABLES: Final = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""Connections over IPv4; and those of sockets that speak both, with IPv4 addresses at the end of longer ones."""

_ESTABLISHED: Final = "01"
_ROOT: Final = 0


def is_ours(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Whether we, or root, hold the end `client` (IPv4 address, port) of a connection to our end `server`.

    True where the system does not tell. False for an end that is closed already: nobody holds it any more, and what its
    holder has sent before may wait here.
    """
    for state, user in _ends(_written(*client), _written(*server)):
        return state == _ESTABLISHED and user in (_ROOT, os.getuid())
    return True


def _ends(local: str, remote: str) -> Iterator[tuple[str, int]]:
    """State and user of the sockets with these two addresses: one, or none where nothing is told."""
    for table in TABLES:
        try:
            rows = table.read_text("ascii").splitlines()
        except (OSError, ValueError):
            continue
        for row in rows:
            fields = row.split()
            if len(fields) > 7 and fields[1].endswith(local) and fields[2].endswith(remote):
                yield fields[3], int(fields[7])


def _written(host: str, port: int) -> str:
    """An address as the table has it: the four bytes as one number of this machine, then the port."""
    return f"{int.from_bytes(inet_aton(host), sys.byteorder):08X}:{port:04X}"
