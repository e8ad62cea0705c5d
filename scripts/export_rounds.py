"""Plays rounds of every preset at real tables on virtual time, exports each as a scenario, and holds what `rules run`
makes of it against the replica's own result. Every second match has the preset's whole deck, the others a small one.

    python scripts/export_rounds.py --rounds 200
"""

import argparse
import json
import sys

from p2pkaboo.audit.auditor import audit_file
from p2pkaboo.audit.export import export_round
from p2pkaboo.lab.tables.chance import Dice
from p2pkaboo.lab.tables.formed import FormedTable, deals_of, small_rules
from p2pkaboo.rules.ruleset import load_preset, preset_names, with_overrides
from p2pkaboo.rules.scenario import read_scenario, run_scenario

ROUNDS_A_MATCH = 2


def differences(preset: str, number: int) -> tuple[int, list[str]]:
    """Plays one match. How many rounds it had, and what differs in them."""
    if number % 2:
        rules = with_overrides(load_preset(preset), {"match.rounds": ROUNDS_A_MATCH})
    else:
        rules = small_rules(preset, match__rounds=ROUNDS_A_MATCH)
    seats = rules.players_min + number % (min(rules.players_max, 4) - rules.players_min + 1)
    label = f"{preset}/{number}"
    table = FormedTable(rules, seats, Dice(label), label)
    table.run()
    data = table.transcript()
    report = audit_file(data)
    if not report.valid:
        return 0, [f"{label}: the audit says {report.verdict}: {report.reason}"]
    found = []
    for deal, audit in zip(deals_of(table.nodes[0]), report.audits, strict=True):
        document = json.loads(json.dumps(export_round(data, audit.round)))
        result, names, score = run_scenario(read_scenario(document)), document["seats"], deal.score
        assert score is not None
        ours = {
            "ok": True,
            "hands": {names[seat]: list(hand) for seat, hand in audit.hands.items()},
            "round": {names[seat]: points for seat, points in score.round.items()},
            "totals": {names[seat]: points for seat, points in score.totals.items()},
            "stock": len(deal.state.stock),
        }
        theirs = {
            "ok": result["ok"],
            "hands": result["hands"],
            "round": result["round"]["round"] if result["ok"] else None,
            "totals": result["round"]["totals"] if result["ok"] else None,
            "stock": result["stock"],
        }
        found += [f"{label} round {audit.round}: {key} differs" for key in ours if ours[key] != theirs[key]]
    return len(report.audits), found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200, help="rounds of each preset")
    options = parser.parse_args()
    bad = 0
    for preset in preset_names():
        played, number = 0, 0
        while played < options.rounds:
            rounds, found = differences(preset, number)
            played, number, bad = played + rounds, number + 1, bad + len(found)
            print("\n".join(found), end="\n" if found else "")
        print(f"{preset:14} {played} rounds exported and run again", flush=True)
    print(f"{bad} differences")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
