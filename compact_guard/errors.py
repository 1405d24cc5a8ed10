"""Errors that are the user's to mend: their text names the file, the line and the mend."""


class UsageError(Exception):
    """Something the user gave cannot be used; the command exits 2 and prints the text."""


class BusyError(Exception):
    """Another process holds what is needed; the command exits 75 and prints the text."""
