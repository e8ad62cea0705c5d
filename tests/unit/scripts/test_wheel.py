"""The wheel holds the whole package: data files too, which a build backend drops in silence if Git ignores them."""

import pathlib
import subprocess
import sys
import zipfile

import environment


def test_every_file_of_the_package_is_in_the_wheel(tmp_path: pathlib.Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=environment.ROOT,
        check=True,
        capture_output=True,
    )
    [wheel] = tmp_path.glob("p2pkaboo-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if name.startswith("p2pkaboo/")}
    package = environment.ROOT / "p2pkaboo"
    here = {
        path.relative_to(environment.ROOT).as_posix()
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert shipped == here
