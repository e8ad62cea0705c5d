"""How quick the page is, measured in a real browser against the real program:

- from the command to the printed address (wall clock, and processor time of the program), to the painted start screen
  in a browser that runs already, and what the page weighs on the wire;
- with `--keys`, from a key press to the painted change, at a table of four in a game against bots;
- with `--frames`, frame by frame what each motion costs, at tables of four and of eight, in games that are played for a
  minute: how long frames took, the longest task, and the processor time of the page's main thread a frame (its busy
  time, then its mean by kind of work), all in milliseconds. Software drawing and the other seats share the processors
  with the page: their part is in the frame times, not in the main thread's.

    python scripts/measure_ui.py [--runs 10] [--keys] [--frames [--seconds 60]]

Needs the development environment (Playwright) and a Chromium.
"""

import argparse
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import chromium
import frames
from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = ["--no-sandbox", "--disable-gpu", "--mute-audio"]
PRESSES = 60
TABLES = (4, 8)
"""Seats of the tables whose frames are looked at."""

# When the start screen was painted, by the clock that Python's time.time() reads too.
PAINTED = """
  new MutationObserver((_, watch) => {
    if (!document.querySelector('main')) return;
    if (!document.body?.dataset.snapshot) return;
    watch.disconnect();
    requestAnimationFrame(() => {
      const port = new MessageChannel();
      port.port1.onmessage = () => { window.painted = Date.now(); };
      port.port2.postMessage(0);
    });
  }).observe(document, {childList: true, subtree: true, attributes: true});
"""

# How long each key press took until the frame after its change, by the event's own time stamp.
TIMED = """() => {
  window.took = [];
  addEventListener('keydown', (event) => requestAnimationFrame(() => {
    const port = new MessageChannel();
    port.port1.onmessage = () => window.took.push(performance.now() - event.timeStamp);
    port.port2.postMessage(0);
  }));
}"""


@dataclass(frozen=True, slots=True)
class Start:
    """One start: seconds from the command to the address and to the painted screen, seconds of processor time until
    the address, and the page's requests and bytes (headers too)."""

    address: float
    cpu: float
    painted: float
    requests: int
    bytes: int


@contextmanager
def program(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The running program and its address, on a fresh profile."""
    with tempfile.TemporaryDirectory(prefix="p2pkaboo-ui-") as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "p2pkaboo", "--profile", folder, *arguments],
            env={**os.environ, "P2PKABOO_NO_BROWSER": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().split()[-1]
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(10)
            process.stdout.close()


def cpu_seconds(process: int) -> float:
    """Processor time of a running process so far; not a number where there is no /proc."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def start(browser: Browser) -> Start:
    """One start with an empty cache."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(PAINTED)
    sizes: list[int] = []
    wire = context.new_cdp_session(page)
    wire.on("Network.loadingFinished", lambda event: sizes.append(int(event["encodedDataLength"])))
    wire.send("Network.enable")
    began = time.time()
    with program() as (process, address):
        addressed, cpu = time.time(), cpu_seconds(process.pid)
        page.goto(address, wait_until="commit")
        while (painted := page.evaluate("window.painted ?? null")) is None:
            page.wait_for_timeout(20)
        page.wait_for_load_state("networkidle")
        context.close()
    return Start(addressed - began, cpu, painted / 1000 - began, len(sizes), sum(sizes))


def key_presses(page: Page) -> list[float]:
    """Milliseconds of many key presses that mark a card."""
    page.locator(".game .place [data-hand] button").first.wait_for()
    page.keyboard.press("Enter")  # looked
    page.wait_for_timeout(1_000)
    page.evaluate(TIMED)
    for at in range(PRESSES):
        page.keyboard.press("1234"[at % 4])
        page.wait_for_timeout(20)
    took: list[float] = page.evaluate("window.took")
    return took


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="how many starts (default: 10)")
    parser.add_argument("--keys", action="store_true", help="time key presses too")
    parser.add_argument("--frames", action="store_true", help="measure frames while cards move")
    parser.add_argument("--seconds", type=float, default=60, help="of play at each table for --frames (default: 60)")
    options = parser.parse_args()
    path = chromium.find()
    if path is None:
        sys.exit(f"measure_ui: {chromium.MISSING}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        browser.new_page()  # the browser runs already, with a page
        starts = [start(browser) for _ in range(options.runs)]
        for what, unit in (("address", "s"), ("cpu", "s"), ("painted", "s"), ("requests", ""), ("bytes", "")):
            values = sorted(getattr(one, what) for one in starts)
            middle = statistics.median(values)
            print(f"{what:9} median {middle:.6g} {unit}, best {values[0]:.4g}, worst {values[-1]:.4g}")
        if options.keys:
            with program("play", "--bots", "3") as (_, address):
                page = browser.new_page(viewport={"width": 1280, "height": 800})
                page.goto(address)
                took = key_presses(page)
            print(f"keys      median {statistics.median(took):.1f} ms of {len(took)} presses, worst {max(took):.0f}")
        for seats in TABLES if options.frames else ():
            with program("play", "--bots", str(seats - 1)) as (_, address):
                print(f"\n{seats} seats\n{frames.table(frames.played(browser, address, options.seconds))}")
        browser.close()
    print(f"load      {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    return 0


if __name__ == "__main__":
    sys.exit(main())
