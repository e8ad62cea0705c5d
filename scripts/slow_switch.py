"""An Ethernet switch with long cables, for measurements where the kernel has no `netem`.

    ip netns exec SWITCH python scripts/slow_switch.py --delay-ms 20 --jitter-ms 2 port1 port2 port3

Every frame that comes in at a port goes out at all others, `delay` later, give or take up to `jitter`, in the order in
which it came; the kernels at the ends drop what is not for them. `plain` makes a virtual cable carry frames as they
would be on a real one: whole checksums, no larger than the cable allows. Linux, as root.
"""

import argparse
import contextlib
import fcntl
import heapq
import os
import random
import selectors
import socket
import struct
import time
from typing import Final

ETH_P_ALL: Final = 0x0003
"""All protocols (linux/if_ether.h)."""

SIOCETHTOOL: Final = 0x8946
"""Settings of a network device (linux/sockios.h)."""

OFFLOADS: Final = {"tx checksum": 0x17, "scatter-gather": 0x19, "tcp segmentation": 0x1F, "gso": 0x24, "gro": 0x2C}
"""What the kernel would leave to a network card, and the commands that set it (linux/ethtool.h)."""

LARGEST: Final = 65_536
"""Bytes of one read: more than any frame."""


def plain(device: str) -> None:
    """Turns off, for a device of this network namespace, what real cards do for the kernel. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in OFFLOADS.values():
            value = bytearray(struct.pack("II", command, 0))
            address, _ = _memory(value)
            request = struct.pack("16sQ16x", device.encode(), address)
            fcntl.ioctl(control, SIOCETHTOOL, request)


def _memory(value: bytearray) -> tuple[int, object]:
    """Where a buffer lies, and what keeps it there."""
    import ctypes

    view = (ctypes.c_char * len(value)).from_buffer(value)
    return ctypes.addressof(view), view


def switch(ports: list[str], delay: float, jitter: float) -> None:
    """Passes frames on for ever. `delay`, `jitter`: seconds, one way."""
    sockets: list[socket.socket] = []
    selector = selectors.DefaultSelector()
    for at, port in enumerate(ports):
        opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        opened.bind((port, 0))
        opened.setblocking(False)
        sockets.append(opened)
        selector.register(opened, selectors.EVENT_READ, at)
    under_way: list[tuple[float, int, int, bytes]] = []
    last = [[0.0] * len(ports) for _ in ports]
    count = 0
    while True:
        now = time.monotonic()
        while under_way and under_way[0][0] <= now:
            _, _, at, frame = heapq.heappop(under_way)
            with contextlib.suppress(OSError):  # a full queue or a cable that is down loses frames, as a real one does
                sockets[at].send(frame)
        wait = under_way[0][0] - now if under_way else None
        for key, _ in selector.select(wait):
            source: int = key.data
            try:
                frame, about = sockets[source].recvfrom(LARGEST)
            except BlockingIOError:
                continue
            if about[2] == socket.PACKET_OUTGOING:  # what we have put there ourselves
                continue
            now = time.monotonic()
            for other in range(len(ports)):
                if other != source:
                    due = max(now + delay + random.uniform(-jitter, jitter), last[source][other])
                    last[source][other] = due
                    count += 1
                    heapq.heappush(under_way, (due, count, other, frame))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ports", nargs="+", help="network devices of this namespace")
    parser.add_argument("--delay-ms", type=float, default=0.0, help="one way")
    parser.add_argument("--jitter-ms", type=float, default=0.0, help="more or less than that, evenly spread")
    chosen = parser.parse_args()
    for port in chosen.ports:
        plain(port)
    os.nice(-15)  # a cable does not wait until the computers at its ends have time
    print("up", flush=True)
    switch(chosen.ports, chosen.delay_ms / 1000, chosen.jitter_ms / 1000)


if __name__ == "__main__":
    main()
