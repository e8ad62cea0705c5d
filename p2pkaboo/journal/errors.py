"""What can be wrong with the files of a profile. Each text is one line that names the file."""


class JournalError(Exception):
    """A file of the profile cannot be read, written or understood; the text names it and says what to do."""


class ProfileError(JournalError):
    """The profile folder, or one of the small files in it, is not usable."""


class ProfileBusy(ProfileError):
    """Another process is running a peer on this profile."""


class StoreError(JournalError):
    """The journal's database is not usable, or a write to it failed."""


class TranscriptFileError(JournalError):
    """A transcript file cannot be read or written."""
