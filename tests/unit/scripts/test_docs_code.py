"""The programs in the page for students do what the page says: each prints the text that stands behind it."""

import re
import subprocess
import sys

import environment

PAGE = environment.ROOT / "docs" / "explanation" / "the-cryptography.md"
BLOCK = re.compile(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_programs_of_the_cryptography_print_what_stands_behind_them() -> None:
    page = PAGE.read_text("utf-8")
    blocks = BLOCK.findall(page)
    assert len(blocks) == page.count("```python")
    # One after another, as a reader types them: a later one uses what an earlier one has made.
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(program for program, _ in blocks)],
        cwd=environment.ROOT / "protocol",
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.stderr, done.stdout) == ("", "".join(text for _, text in blocks))
