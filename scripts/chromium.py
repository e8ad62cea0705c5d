"""Finds a Chromium for the browser tests. Standard library only."""

import os
import pathlib
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = {
    "darwin": (
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    ),
    "win32": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
    ),
}
# Where `playwright install chromium` puts its own, below the home folder, and what the program is called there.
PLAYWRIGHT = {
    "linux": (".cache/ms-playwright", "chromium-*/chrome-linux*/chrome"),
    "darwin": ("Library/Caches/ms-playwright", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*"),
    "win32": ("AppData/Local/ms-playwright", "chromium-*/chrome-win*/chrome.exe"),
}
MISSING = "browser tests left out: no Chromium found (install one, or name it in P2PKABOO_CHROMIUM)"


def find() -> str | None:
    """The path of a Chromium (or Chrome, or Edge), or None.

    `P2PKABOO_CHROMIUM` comes first and is believed only if it exists.
    """
    named = os.environ.get("P2PKABOO_CHROMIUM")
    if named is not None:
        return shutil.which(named)
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return found
    for place in PLACES.get(sys.platform, ()):
        if pathlib.Path(place).exists():
            return place
    folder, pattern = PLAYWRIGHT.get(sys.platform, ("", ""))
    if folder:
        # The highest revision last: it is the one that the installed Playwright asked for most recently.
        own = sorted((pathlib.Path.home() / folder).glob(pattern))
        if own:
            return str(own[-1])
    return None
