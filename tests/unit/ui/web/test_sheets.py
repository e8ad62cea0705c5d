"""The page's style sheets: one list names all of them, and one request brings them."""

from __future__ import annotations

import re

from p2pkaboo.peer.local_pages import load_files
from tests.unit.ui.web.test_contrast import STATIC

SHEETS = STATIC / "css"
LIST = SHEETS / "all.css"
NAMES = re.findall(r'^@import "(.*)";$', LIST.read_text("utf-8"), flags=re.MULTILINE)


def test_the_page_asks_for_the_list_alone_and_the_list_names_every_sheet_once() -> None:
    page = (STATIC / "index.html").read_text("utf-8")
    assert re.findall(r'rel="stylesheet" href="([^"]+)"', page) == ["css/all.css"]
    assert sorted(NAMES) == sorted(path.name for path in SHEETS.iterdir() if path.name != LIST.name)


def test_the_server_answers_with_all_sheets_in_the_order_of_the_list() -> None:
    served = load_files(STATIC)["/css/all.css"][1].decode()
    assert "@import" not in served
    places = [served.index((SHEETS / name).read_text("utf-8")) for name in NAMES]
    assert places == sorted(places)
