"""Every error that engram raises on purpose, in one tree.

EngramError
|- ConfigError            the environment, the folder or a setting is not usable
|  |- NotARepository      the folder cannot be indexed
|  `- EngineMissing       the graph engine is not installed in this environment (yet)
|- RequestError           the caller's fault: shown as it is
|  |- InvalidArgument, InvalidPattern, PathOutsideRoot, FileUnavailable, SecretRefused
|  |- UnknownRevision, UnknownSymbol, UnknownRequest
|  |- SearchUnfinished       stopped at a bound before it was through
|  `- DepthSpent, TooManyOpen recursion has reached a bound
|- StoreError             the graph server did not do what was asked
|  |- ServerUnavailable   it is not there, and could not be started
|  |- NotIndexed          this checkout has no graph yet
|  |- SchemaMismatch      the graph was written by another version
|  |- StoreFull           no space or memory is left for it to write
|  |- QueryRefused        not sent: the text is not a permitted read, or a value does not fit
|  |- QueryTimedOut       the engine ended it
|  `- IndexBusy           another process holds the index lock
|- JournalError
|  |- BrokenChain, TornEntry, JournalUnwritable
|  `- UnsafeState          the state folder is not this user's own: neither read nor written
|- GitError               git is missing, or refused
`- ExtractError
   `- UnsupportedLanguage
"""


class EngramError(Exception):
    """Base of them all; `hint` says in one line what to do, `kind` names it on the wire."""

    kind = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class ConfigError(EngramError):
    """The environment, the folder or a setting is not usable."""

    kind = "config"


class NotARepository(ConfigError):
    """The folder is none that engram may index."""

    kind = "not-a-repository"


class EngineMissing(ConfigError):
    """The graph engine is not installed in this environment, or not yet."""

    kind = "engine-missing"


class RequestError(EngramError):
    """The caller asked for something that cannot be answered as asked."""

    kind = "request"


class InvalidArgument(RequestError):
    """A value is outside of what the argument allows."""

    kind = "invalid-argument"


class InvalidPattern(RequestError):
    """A search pattern that the engine does not accept."""

    kind = "invalid-pattern"


class PathOutsideRoot(RequestError):
    """A path that leads out of the repository."""

    kind = "path-outside-root"


class FileUnavailable(RequestError):
    """No regular file that can be read stands at the path."""

    kind = "file-unavailable"


class SecretRefused(RequestError):
    """The file looks like one that holds keys; `--secrets` reads it all the same."""

    kind = "secret-refused"


class UnknownRevision(RequestError):
    """git knows no such revision."""

    kind = "unknown-revision"


class UnknownSymbol(RequestError):
    """No symbol of that name is indexed."""

    kind = "unknown-symbol"


class UnknownRequest(RequestError):
    """No recursion request or journal entry has that id."""

    kind = "unknown-id"


class SearchUnfinished(RequestError):
    """The search was stopped at a bound before it was through."""

    kind = "search-unfinished"


class DepthSpent(RequestError):
    """A request of that depth may not ask further."""

    kind = "depth-spent"


class TooManyOpen(RequestError):
    """The session has as many unanswered requests as it may have."""

    kind = "too-many-open"


class StoreError(EngramError):
    """The graph server did not do what was asked."""

    kind = "store"


class ServerUnavailable(StoreError):
    """The server is not there and could not be started in time."""

    kind = "server-unavailable"


class NotIndexed(StoreError):
    """This checkout has no graph yet."""

    kind = "not-indexed"


class SchemaMismatch(StoreError):
    """The graph was written by another version of engram."""

    kind = "schema-mismatch"


class QueryRefused(StoreError):
    """The query was not sent, because its text is not a permitted read or a value does not fit."""

    kind = "query-refused"


class QueryTimedOut(StoreError):
    """The query took longer than it may."""

    kind = "query-timed-out"


class StoreFull(StoreError):
    """The server has no disk space or memory left to write."""

    kind = "store-full"


class IndexBusy(StoreError):
    """Another process holds the index lock."""

    kind = "index-busy"


class JournalError(EngramError):
    """The journal cannot be read or written as it should."""

    kind = "journal"


class BrokenChain(JournalError):
    """A line does not follow from the one before it."""

    kind = "broken-chain"


class TornEntry(JournalError):
    """The last line was cut off while it was written."""

    kind = "torn-entry"


class JournalUnwritable(JournalError):
    """The entry could not be written; the answer itself is not affected."""

    kind = "journal-unwritable"


class UnsafeState(JournalError):
    """The state folder is a link, another user's, or comes with the checkout: neither read nor written."""

    kind = "unsafe-state"


class GitError(EngramError):
    """git is missing, or refused."""

    kind = "git"


class ExtractError(EngramError):
    """Source text could not be turned into facts."""

    kind = "extract"


class UnsupportedLanguage(ExtractError):
    """No grammar is registered for the file."""

    kind = "unsupported-language"
