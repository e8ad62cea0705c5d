"""The replicated table without I/O: events in, commands out; every peer runs the same one."""
