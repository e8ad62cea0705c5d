"""The door of the local API in a real browser: what a foreign page, a bent name, a frame or a foreign script gets."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser

from tests.e2e.web.conftest import REBOUND, faults, open_page
from tests.e2e.web.scenes import start
from tests.e2e.web.stage import Stage, staged

pytestmark = [pytest.mark.browser, pytest.mark.e2e]


@pytest.fixture(scope="module")
def stage() -> Iterator[Stage]:
    with staged(start) as stage:
        yield stage


class _Foreign(BaseHTTPRequestHandler):
    """Another site on this machine. `/frame?PORT` frames the page."""

    def do_GET(self) -> None:
        body = "<!doctype html><title>foreign</title>"
        if "?" in self.path:
            body += f"<iframe id=f src='http://127.0.0.1:{self.path.split('?')[1]}/'></iframe>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="module")
def foreign() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Foreign)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_the_token_leaves_the_address_bar_and_lasts_a_reload(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    page.goto(stage.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert page.url == f"http://127.0.0.1:{stage.port}/"
    page.reload()
    page.get_by_role("button", name="Play", exact=True).wait_for()
    assert page.evaluate("document.cookie") == ""
    assert faults(page) == []
    page.context.close()


def test_without_the_token_the_page_shows_nothing_and_says_why(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    page.goto(f"http://127.0.0.1:{stage.port}/")
    page.get_by_text("needs the address that p2pkaboo printed").wait_for()
    assert page.get_by_role("button", name="Play", exact=True).count() == 0
    page.context.close()


def test_a_rebound_name_gets_421(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    answer = page.goto(f"http://{REBOUND}:{stage.port}/")
    assert answer is not None
    assert answer.status == 421
    assert "p2pkaboo" not in page.content()
    page.context.close()


def test_a_foreign_page_can_neither_read_files_nor_open_the_socket(
    browser: Browser, stage: Stage, foreign: str
) -> None:
    page = open_page(browser)
    page.goto(foreign)
    read = page.evaluate(
        "async (url) => { try { return (await fetch(url)).status } catch (e) { return String(e) } }",
        f"http://127.0.0.1:{stage.port}/index.html",
    )
    assert "Failed to fetch" in read
    opened = page.evaluate(
        """(url) => new Promise((done) => {
            const s = new WebSocket(url);
            s.onopen = () => done('open');
            s.onclose = (e) => done('closed ' + e.code);
        })""",
        f"ws://127.0.0.1:{stage.port}/api",
    )
    assert opened == "closed 1006"
    page.context.close()


def test_a_foreign_page_cannot_use_our_script_or_picture(browser: Browser, stage: Stage, foreign: str) -> None:
    page = open_page(browser)
    page.goto(foreign)
    for tag, path in (("script", "js/main.js"), ("img", "icon.svg")):
        got = page.evaluate(
            """([tag, url]) => new Promise((done) => {
                const el = document.createElement(tag);
                el.onload = () => done('loaded'); el.onerror = () => done('refused');
                el.src = url; document.head.append(el);
            })""",
            [tag, f"http://127.0.0.1:{stage.port}/{path}"],
        )
        assert got == "refused"
    page.context.close()


def test_the_page_cannot_be_framed(browser: Browser, stage: Stage, foreign: str) -> None:
    page = open_page(browser)
    page.goto(f"{foreign}/frame?{stage.port}")
    page.wait_for_load_state("networkidle")
    frame = page.frames[1]
    assert "p2pkaboo" not in frame.content()
    assert not frame.url.startswith(f"http://127.0.0.1:{stage.port}/js")
    page.context.close()


def test_inline_script_handlers_styles_and_markup_strings_do_nothing(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    page.goto(stage.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    # In a timer of the page's own: what the test tool itself evaluates is exempt from the policy.
    page.evaluate(
        """() => setTimeout(() => {
            const script = document.createElement('script');
            const blocked = [];
            const attempt = (act) => { try { act() } catch (e) { blocked.push(e.name) } };
            attempt(() => { script.textContent = 'window.ran = 1'; document.body.append(script) });
            attempt(() => { document.body.setAttribute('onclick', 'window.ran = 2'); document.body.click() });
            attempt(() => { document.getElementById('live').innerHTML = '<img src=x onerror="window.ran=3">' });
            attempt(() => (0, eval)('window.ran = 4'));
            const link = document.createElement('link');
            link.rel = 'stylesheet'; link.href = 'data:text/css,body{display:none}';
            document.head.append(link);
            window.blocked = blocked;
        }, 0)"""
    )
    page.wait_for_timeout(100)
    assert page.evaluate("window.ran ?? null") is None
    assert page.evaluate("window.blocked").count("TypeError") >= 2
    assert page.evaluate("getComputedStyle(document.body).display") == "block"
    assert any("Content Security Policy" in line for line in faults(page))
    page.context.close()


def test_nothing_is_fetched_from_anywhere_else_and_little_from_here(browser: Browser, stage: Stage) -> None:
    page = open_page(browser)
    sizes: list[int] = []
    hosts: set[str] = set()
    page.on("response", lambda answer: hosts.add(answer.url.split("/")[2]))
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(stage.url)
    page.get_by_role("button", name="Play", exact=True).wait_for()
    page.wait_for_load_state("networkidle")
    assert hosts == {f"127.0.0.1:{stage.port}"}
    assert len(sizes) > 20
    assert sum(sizes) < 300_000
    page.context.close()


def test_two_tabs_show_the_same_and_both_may_act(browser: Browser, stage: Stage) -> None:
    first, second = open_page(browser), open_page(browser)
    for page in (first, second):
        page.goto(stage.url)
        page.get_by_role("button", name="Play", exact=True).wait_for()
    second.get_by_role("button", name="Light or dark").click()
    first.locator("html[data-theme=dark]").wait_for()
    first.get_by_role("button", name="Light or dark").click()
    second.locator("html[data-theme=light]").wait_for()
    first.context.close()
    second.context.close()


def test_the_page_says_when_the_program_is_gone_and_comes_back_by_itself(browser: Browser) -> None:
    token = "k" * 43
    page = open_page(browser)
    with staged(start, token=token) as first:
        page.goto(first.url)
        page.get_by_role("button", name="Play", exact=True).wait_for()
    page.get_by_role("alert").filter(has_text="does not answer").wait_for()
    with staged(start, port=first.port, token=token):
        page.get_by_role("alert").filter(has_text="does not answer").wait_for(state="detached")
        page.get_by_role("button", name="Play", exact=True).click()
    page.context.close()


def test_the_address_of_a_newer_run_pasted_into_the_same_tab_works(browser: Browser) -> None:
    page = open_page(browser)
    with staged(start, token="a" * 43) as first:
        page.goto(first.url)
        page.get_by_role("button", name="Play", exact=True).wait_for()
    with staged(start, port=first.port, token="b" * 43) as second:
        page.get_by_text("needs the address that p2pkaboo printed").wait_for()
        page.goto(second.url)
        page.get_by_role("button", name="Play", exact=True).wait_for()
        assert page.url == f"http://127.0.0.1:{second.port}/"
    page.context.close()
