"""Vectors, golden transcripts and the worked example are what the code gives: all are made again and compared."""

import environment
import vectors


def run() -> list[str]:
    try:
        return vectors.drift(environment.ROOT)
    except ValueError as error:
        return [str(error)]
