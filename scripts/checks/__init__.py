"""The project's own checks, run by `scripts/check.py`: each module has `run() -> list[str]`, a line a problem."""
