"""People behind names and addresses: who is named in a trailer, and who that is by the repository's mailmap."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from engram.errors import GitError
from engram.gitrun import run_git
from engram.history.facts import Person

_CONTACT = re.compile(r"\s*([^<>\x00-\x1f]*?)\s*<([^<>\x00-\x20]*)>\s*")
_LONGEST = 300  # characters of a contact; longer ones are no names
_AT_ONCE = 500  # contacts on one command line: at most 150 kB of the 2 MB that Linux permits
_MOST = 20_000  # contacts looked up for one slice of history; the rest stay as they were written


def parse_contact(text: str) -> Person | None:
    """The person in `Name <address>`; None for anything else."""
    found = _CONTACT.fullmatch(text) if len(text) <= _LONGEST else None
    return Person(found.group(2), found.group(1)) if found and (found.group(1) or found.group(2)) else None


def map_people(root: str, people: Sequence[Person]) -> dict[Person, Person]:
    """Each person as the mailmap at the root of the checkout names it, as git does for authors: gitmailmap(5)."""
    mapped = {person: person for person in people}
    if not os.path.isfile(os.path.join(root, ".mailmap")):
        return mapped
    unmapped = list(mapped)[:_MOST]
    for start in range(0, len(unmapped), _AT_ONCE):
        part = unmapped[start : start + _AT_ONCE]
        # the leading blank, which git takes away, keeps a name from being read as an option
        contacts = [f" {person.name} <{person.email}>" for person in part]
        try:
            answers = run_git(root, "check-mailmap", *contacts).decode("utf-8", "replace").split("\n")
        except GitError:
            continue
        if len(answers) == len(part) + 1:
            for person, answer in zip(part, answers, strict=False):
                mapped[person] = parse_contact(answer) or person
    return mapped
