"""From a command to the errand that a visit is for: a table to open, to join, or to go back to."""

import time
from collections.abc import Sequence

from p2pkaboo.peer import api
from p2pkaboo.peer.session.archive import Archive
from p2pkaboo.peer.session.errand import Errand, Joining, Opening, announced_name
from p2pkaboo.peer.session.hall import Hall
from p2pkaboo.peer.session.profile import Keepsakes, name_of
from p2pkaboo.peer.session.refusal import Refusal


class Errands:
    """Knows rules, styles, tables in this network and unfinished matches."""

    def __init__(
        self, keepsakes: Keepsakes, archive: Archive, hall: Hall, styles: Sequence[api.Styles], own_key: bytes
    ) -> None:
        self._keepsakes, self._archive, self._hall = keepsakes, archive, hall
        self._styles, self._own_key = tuple(styles), own_key

    def errand(self, command: api.PlayBots | api.Host | api.Join | api.Resume) -> Errand:
        """What a command sends the player out for. Raises Refusal."""
        match command:
            case api.PlayBots():
                self.check_style(command.style)
                rules = self._keepsakes.table_rules(command.rules, command.overrides)
                seats = command.bots + 1
                if not rules.players_min <= seats <= rules.players_max:
                    raise Refusal("error.players", least=rules.players_min, most=rules.players_max)
                named = self.rules_name(command.rules, command.overrides)
                styles = (command.style,) * command.bots
                return Opening(
                    name=f"{self._keepsakes.name} and bots",
                    rules=rules,
                    rules_name=named,
                    seats=seats,
                    private=True,
                    local=True,
                    bots=styles,
                    start_full=True,
                    hints=command.hints,
                )
            case api.Host():
                rules = self._keepsakes.table_rules(command.rules, command.overrides)
                if not rules.players_min <= command.seats <= rules.players_max:
                    raise Refusal("error.players", least=rules.players_min, most=rules.players_max)
                named = self.rules_name(command.rules, command.overrides)
                name = announced_name(command.name) or f"{self._keepsakes.name}'s table"
                return Opening(name, rules, named, command.seats, private=command.private, port=command.port)
            case api.Join():
                return self.joining(command)
            case api.Resume():
                row = self._archive.row(command.table)
                if row.outcome is not None:
                    raise Refusal("error.unknown", what="an unfinished match of this number")
                return row

    def joining(self, command: api.Join) -> Joining:
        """The way to a table that is named by an invite, or found in this network. Raises Refusal."""
        from p2pkaboo.net.invite import MAX_CONTACT_ADDRESSES, Contact, Invite, InviteError

        if command.table:
            found = self._hall.found(command.table)
            if found is None:
                raise Refusal("notice.table_gone", name=command.table)
            contact = Contact(found.table.key, found.addresses[:MAX_CONTACT_ADDRESSES])
            return Joining(found.table.secret, (contact,), found.table.name, found.table.rules)
        try:
            invite = Invite.decode(command.invite, time.time())
        except InviteError as error:
            raise Refusal("error.invite", reason=str(error)) from None
        own = self._own_key
        if any(contact.key == own for contact in invite.contacts):
            raise Refusal("error.invite", reason="it is your own")
        return Joining(invite.secret, invite.contacts)

    def rules_name(self, key: str, overrides: dict[str, api.Value]) -> api.RulesName:
        """How a rule set with changes is called."""
        rules = self._keepsakes.rules(key, overrides)
        own = next((name for name in self._keepsakes.rule_names() if name.id == key and name.id != name.preset), None)
        return name_of(rules, id=key if own else "", name=own.name if own else "")

    def check_style(self, style: str) -> None:
        """Raises Refusal for a style that there is not ("": any)."""
        if style and style not in [known.id for known in self._styles]:
            raise Refusal("error.unknown", what=f"a style of play called {style}")
