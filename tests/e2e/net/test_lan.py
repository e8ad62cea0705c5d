"""Tables announced and found between processes: on this machine, and between two hosts on one Ethernet."""

import contextlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.e2e

SCRIPT = Path(__file__).with_name("lan.py")
ROOT = SCRIPT.parents[3]

NAME: Final = f"Kitchen {os.getpid()}"
"""Of the table: others may run these tests in the same network."""

MOST_S: Final = 60.0
"""How long an end may run: it gives up by itself after 25 s, and what is stuck beyond that is killed."""


class Process:
    """One end in a process of its own, optionally on another host."""

    def __init__(self, part: str, host: str | None = None) -> None:
        prefix = ["ip", "netns", "exec", host] if host else []
        self.process = subprocess.Popen(
            [*prefix, sys.executable, str(SCRIPT), part, NAME],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            text=True,
        )
        self.limit = threading.Timer(MOST_S, self.process.kill)
        self.limit.start()

    def line(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def end(self) -> None:
        self.limit.cancel()
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def processes() -> Iterator[list[Process]]:
    made: list[Process] = []
    yield made
    for process in made:
        process.end()


def test_a_table_is_found_and_joined_between_two_processes(processes: list[Process]) -> None:
    processes.append(looker := Process("look"))
    processes.append(opener := Process("open"))
    assert opener.line().startswith("announced ")
    assert looker.line().startswith(f"found {NAME} 1 ")
    assert looker.line() == "echoed 100000"
    assert opener.line() == "up"
    assert looker.line() == "update 2"
    opener.process.kill()  # no goodbye: the system closes its connection
    assert looker.line() in ("down it hung up without a goodbye", "down the connection broke")


def test_a_closed_table_disappears(processes: list[Process]) -> None:
    processes.append(looker := Process("part"))
    processes.append(opener := Process("open"))
    assert opener.line().startswith("announced ")
    assert looker.line().startswith(f"found {NAME} 1 ")
    assert looker.line() == "echoed 100000"
    assert looker.line() == "update 2"
    assert looker.line() == "down it left"
    assert looker.line() == "lost"
    assert looker.process.wait(10) == 0
    assert opener.process.wait(10) == 0


def ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True, capture_output=True)


@pytest.fixture
def two_hosts() -> Iterator[tuple[str, str]]:
    """Two network namespaces joined by one virtual cable."""
    if shutil.which("ip") is None:
        pytest.skip("needs the ip command of Linux")
    hosts = f"kaboo-a-{os.getpid()}", f"kaboo-b-{os.getpid()}"
    try:
        try:
            for host in hosts:
                ip("netns", "add", host)
            ip("link", "add", "cable", "netns", hosts[0], "type", "veth", "peer", "name", "cable", "netns", hosts[1])
        except subprocess.CalledProcessError:
            pytest.skip("needs the right to make network namespaces")
        for number, host in enumerate(hosts, 1):
            ip("-n", host, "address", "add", f"192.0.2.{number}/24", "dev", "cable")
            ip("-n", host, "link", "set", "lo", "up")
            ip("-n", host, "link", "set", "cable", "up")
        yield hosts
    finally:
        for host in hosts:
            with contextlib.suppress(subprocess.CalledProcessError):
                ip("netns", "delete", host)


@pytest.mark.netns
def test_a_table_is_found_and_joined_between_two_hosts(processes: list[Process], two_hosts: tuple[str, str]) -> None:
    processes.append(opener := Process("open", two_hosts[0]))
    assert opener.line().startswith("announced ")
    processes.append(looker := Process("look", two_hosts[1]))
    assert looker.line() == f"found {NAME} 1 192.0.2.1"
    assert looker.line() == "echoed 100000"
    assert opener.line() == "up"
    assert looker.line() == "update 2"
    ip("-n", two_hosts[0], "link", "set", "cable", "down")  # a pulled cable: no packet says so
    assert opener.line() == "down nothing was heard from it for 1 s"
    assert looker.line() == "down nothing was heard from it for 1 s"
