"""`p2pkaboo whoami`: who you are to others: name, key, and the four words that friends compare."""

import json
import os

import click

from p2pkaboo.cli.options import profile_option
from p2pkaboo.cli.screens import folder_of
from p2pkaboo.crypto.identity import Identity
from p2pkaboo.journal.errors import ProfileError
from p2pkaboo.journal.profile import Profile
from p2pkaboo.peer.session.profile import Keepsakes
from p2pkaboo.peer.words import four_words


@click.command("whoami")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@profile_option
@click.pass_context
def whoami_command(ctx: click.Context, as_json: bool) -> None:
    """Your name, your key, its four words, and where your profile is."""
    try:
        with Profile(folder_of(ctx), exclusive=False) as profile:
            key = Identity(profile.identity_seed(os.urandom)).public.encoded
            name, folder = Keepsakes(profile).name, str(profile.folder)
    except ProfileError as error:
        raise click.ClickException(str(error)) from None
    words = four_words(key)
    if as_json:
        click.echo(json.dumps({"name": name, "key": key.hex(), "words": list(words), "profile": folder}))
        return
    click.echo(f"name:    {name}\nwords:   {' '.join(words)}\nkey:     {key.hex()}\nprofile: {folder}")
