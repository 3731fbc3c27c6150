"""Errors that are meant for a person: one line each, and the exit code the command line gives them."""


class BasraError(ValueError):
    """Something failed in a way a person can understand and mend."""

    exit_code = 1


class InputError(BasraError):
    """What was asked for or handed in is wrong: an option, a variant, a card, a file."""

    exit_code = 2
