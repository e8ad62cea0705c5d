"""Every figure of the benchmark, by hand: deals of 2 to 8 seats with 1 to 4 packs, each against the libsodium floor,
and the same deals with plain SRA (with gmpy2 too, where it is installed).

    python scripts/bench.py [--quick] [--json]
"""

import argparse
import json
import sys

from p2pkaboo.cli.bench_cmd import bench_text, measure_all


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="four seats and one pack only")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    sizes = [(4, 1)] if options.quick else [(seats, 1) for seats in range(2, 9)] + [(4, packs) for packs in (2, 3, 4)]
    document = measure_all(sizes, sra=True)
    print(json.dumps(document, indent=1) if options.json else bench_text(document))
    return 0


if __name__ == "__main__":
    sys.exit(main())
