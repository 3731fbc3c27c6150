"""Errors that are meant for a person: one line each, and the exit code the command line gives them."""


class BasraError(ValueError):
    """Something failed in a way a person can understand and mend."""

    exit_code = 1


class InputError(BasraError):
    """What was asked for or handed in is wrong: an option, a variant, a card, a file."""

    exit_code = 2


class StuckError(BasraError):
    """
    Something runs on that cannot be stopped, in a thread that is left behind.

    A program that has nothing else to do ends at once; others can go on, beside that thread.
    """
