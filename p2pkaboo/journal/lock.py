"""One running peer a profile: a lock that the operating system drops when its process ends, however it ends."""

import os
import sys
from pathlib import Path
from typing import Final

from p2pkaboo.journal.errors import ProfileBusy, ProfileError

_LOCKED_BYTE: Final = 1 << 30
"""Windows locks a range, and nobody may read it: one byte far behind the process number in the file."""

if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except PermissionError:
            return False
        return True
else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        # flock, not lockf: it belongs to this opening of the file, so a second peer in this very process is refused
        # too, and closing some other handle of the file does not drop it.
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


class FolderLock:
    """Holds `path` locked from construction until `release`. Raises ProfileBusy when somebody else holds it."""

    def __init__(self, path: Path) -> None:
        try:
            self._handle: int | None = os.open(path, os.O_CREAT | os.O_RDWR | getattr(os, "O_BINARY", 0), 0o600)
        except OSError as error:
            raise ProfileError(f"{path}: cannot be opened ({error.strerror})") from None
        try:
            if not _try_lock(self._handle):
                os.lseek(self._handle, 0, os.SEEK_SET)
                number = os.read(self._handle, 20).decode("ascii", "replace")
                who = f"process {number}" if number.isdigit() else "another process"
                raise ProfileBusy(f"{path.parent}: in use by {who}; end it, or name another folder with --profile")
            os.ftruncate(self._handle, 0)
            os.lseek(self._handle, 0, os.SEEK_SET)
            os.write(self._handle, str(os.getpid()).encode())
        except OSError as error:
            self.release()
            raise ProfileError(f"{path}: cannot be locked ({error.strerror})") from None
        except BaseException:
            self.release()
            raise

    def release(self) -> None:
        """Lets go. The file stays: deleting it would let two processes lock two different files of one name."""
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
