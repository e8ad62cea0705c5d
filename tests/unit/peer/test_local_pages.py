"""The page over HTTP: who gets it, and that there is nothing else to get."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from websockets.exceptions import InvalidStatus
from websockets.trio.client import connect

from p2pkaboo.peer.local_pages import judge, load_files, security_headers
from p2pkaboo.peer.local_server import LocalServer
from tests.unit.peer.doors import served


async def get(server: LocalServer, path: str = "/", **headers: str) -> tuple[int, dict[str, str], bytes]:
    """One bare HTTP request, so that nothing tidies up its headers."""
    lines = {"Host": f"127.0.0.1:{server.port}", **{k.replace("_", "-"): v for k, v in headers.items()}}
    stream = await trio.open_tcp_stream("127.0.0.1", server.port)
    async with stream:
        head = f"GET {path} HTTP/1.1\r\n" + "".join(f"{k}: {v}\r\n" for k, v in lines.items()) + "\r\n"
        await stream.send_all(head.encode())
        data = b""
        async for chunk in stream:
            data += bytes(chunk)
    top, _, body = data.partition(b"\r\n\r\n")
    status, *rest = top.decode().split("\r\n")
    return int(status.split()[1]), {k.lower(): v for k, v in (line.split(": ", 1) for line in rest)}, body


async def test_the_page_is_served_with_every_guarding_header(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        status, headers, body = await get(server)
    assert status == 200
    assert body.startswith(b"<!doctype html>")
    for name, value in security_headers(server.port).items():
        assert headers[name.lower()] == value
    policy = headers["content-security-policy"]
    for part in (
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ):
        assert part in policy
    assert "unsafe" not in policy
    assert "set-cookie" not in headers


async def test_the_packed_page_is_the_page(tmp_path: Path) -> None:
    import gzip

    async with served(tmp_path) as server:
        _, headers, body = await get(server, "/js/main.js", Accept_Encoding="gzip, br")
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(body) == b"export {};"


@pytest.mark.parametrize(
    "path", ["/notes.py", "/../notes.py", "/js/", "/js/../index.html", "//index.html", "/%2e%2e/x", "/x"]
)
async def test_nothing_but_the_listed_files_can_be_reached(tmp_path: Path, path: str) -> None:
    async with served(tmp_path) as server:
        status, headers, _ = await get(server, path)
    assert status == 404
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "evil.example:{port}", "[::1]:{port}", ""]
)
async def test_a_foreign_host_name_gets_nothing(tmp_path: Path, host: str) -> None:
    async with served(tmp_path) as server:
        status, _, body = await get(server, Host=host.format(port=server.port))
    assert status == 421
    assert b"doctype" not in body


async def test_a_second_host_header_counts_as_foreign(tmp_path: Path) -> None:
    async with served(tmp_path) as server:
        status, _, _ = await get(server, Accept=f"*/*\r\nHost: 127.0.0.1:{server.port}")
    assert status == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
async def test_a_foreign_origin_is_forbidden_everywhere(tmp_path: Path, origin: str) -> None:
    async with served(tmp_path) as server:
        foreign = origin.format(port=server.port)
        status, _, _ = await get(server, Origin=foreign)
        assert status == 403
        with pytest.raises(InvalidStatus) as refused:
            async with connect(server.socket_url, origin=foreign):  # type: ignore[arg-type]
                pass
    assert refused.value.response.status_code == 403


def test_what_browsers_say_about_the_source_of_a_request_counts() -> None:
    host = {"Host": "localhost:9"}
    assert judge(host, 9) is None
    assert judge({**host, "Origin": "http://localhost:9", "Sec-Fetch-Site": "same-origin"}, 9) is None
    assert judge({**host, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}, 9) is None
    for site in ("cross-site", "same-site", "bogus"):
        for dest in ("script", "iframe", "image", "empty"):
            refused = judge({**host, "Sec-Fetch-Site": site, "Sec-Fetch-Dest": dest}, 9)
            assert refused is not None
            assert refused.value == 403


def test_unknown_kinds_of_files_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "a.js").write_text("1")
    (tmp_path / "secret").write_text("2")
    (tmp_path / ".env").write_text("3")
    assert set(load_files(tmp_path)) == {"/a.js"}


def test_a_style_sheet_holds_those_of_its_folder_that_it_imports(tmp_path: Path) -> None:
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "all.css").write_text(
        '@import "b.css";\n@import "a.css";\n@import "../c.css";\n@import "d.css";\n'
    )
    (tmp_path / "css" / "a.css").write_text("a {}")
    (tmp_path / "css" / "b.css").write_text("b {}")
    (tmp_path / "c.css").write_text("c {}")
    files = load_files(tmp_path)
    assert files["/css/all.css"] == ("text/css; charset=utf-8", b'b {}\na {}\n@import "../c.css";\n@import "d.css";\n')
    assert files["/css/a.css"][1] == b"a {}"
