"""Run-time checks of what the types promise, for values that come from beyond the type checker's sight."""


def is_a(value: object, kind: type) -> bool:
    """`isinstance` without narrowing, so that a check of a declared type does not count as unreachable code."""
    return isinstance(value, kind)
