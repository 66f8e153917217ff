"""Redaction: what goes, what stays, and that nothing of a secret reaches an entry."""

from __future__ import annotations

import json
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram.journal.log import Journal
from engram.journal.redact import find_secrets, mentions_secret_file, redact
from engram.journal.secrets import TOKENS, holds_secrets

from .conftest import draft, state

KEY = [
    "-----BEGIN RSA PRIVATE KEY-----",
    *["MIIEpAIBAAKCAQEA7bq3" + "aB3+" * 11] * 3,
    "c2hvcnQ=",
    "-----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("shape", TOKENS, ids=lambda shape: shape.prefix)
def test_every_row_of_the_table_is_found(shape) -> None:
    letters = sorted(char for char in shape.alphabet if char.isalnum())
    body = "".join(letters[(7 * index) % len(letters)] for index in range(shape.least))
    token = "1" * shape.before + shape.prefix + body
    text = f"before {token} after"
    (found,) = [secret for secret in find_secrets(text) if secret.name == shape.name]
    assert text[found.start : found.end] == token
    assert redact(text).value == f"before [redacted:{shape.name}] after"
    too_short = text.replace(token, token[:-1])
    assert shape.name not in redact(too_short).names


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("API_KEY=hunter2", "API_KEY=[redacted:assigned-secret]"),
        ("export TOKEN=abc", "export TOKEN=[redacted:assigned-secret]"),
        ("  password: hunter22\n", "  password: [redacted:assigned-secret]\n"),
        ('password: str = "s3cr3t!value"', 'password: str = "[redacted:assigned-secret]"'),
        ('{"apiKey":"abcdef0","b":1}', '{"apiKey":"[redacted:assigned-secret]","b":1}'),
        (r"{\"api_key\": \"abcdef123\"}", r"{\"api_key\": \"[redacted:assigned-secret]\"}"),
        ("mysql --password hunter22x -u joe", "mysql --password [redacted:assigned-secret] -u joe"),
        (
            "curl -H 'Authorization: Bearer abc123abc123abc123'",
            "curl -H 'Authorization: Bearer [redacted:authorization]'",
        ),
        ("postgres://joe:p4ss@db/x", "postgres://joe:[redacted:url-password]@db/x"),
        ("x-api-key: 0123456789abcdef", "x-api-key: [redacted:assigned-secret]"),
        ("?user=a&token=abc12345&x=1", "?user=a&token=[redacted:assigned-secret]&x=1"),
        ('DB_PASSWORD = "correct horse battery"', 'DB_PASSWORD = "[redacted:assigned-secret]"'),
        ('assert "hunter22" == password', 'assert "[redacted:assigned-secret]" == password'),
        ("DB_PASSWORD='quote\"d123'", "DB_PASSWORD='[redacted:assigned-secret]'"),
    ],
)
def test_assigned_secrets_go_and_the_rest_stays(text: str, expected: str) -> None:
    assert redact(text).value == expected


@pytest.mark.parametrize(
    "text",
    [
        "token = get_token()",
        "token=token",
        "self.token = self.tokens[1]",
        "def login(user: str, password: str) -> None:",
        'SECRET_KEY = os.environ["SECRET_KEY"]',
        "password = '${DB_PASSWORD}'",
        'password="changeme"',
        'parser.add_argument("--token", help="the token to use")',
        'keyword = "something1"',
        'password_help = "Enter your password here"',
        "for key in sorted(tokens): key = 'abcdefgh1'",
        "https://example.com:8080/a@b",
        "https://user@example.com/",
        "commit 3b18e512dba79e4c8300dd08aeb37f8e728b8dad",
        '"sha256": "' + "ab12" * 16 + '"',
        "risk-free task-based disk-0123456789abcdef0123456789abcdef0",
        "src/engram/journal/assignments.py:12: password",
        "the password is checked by: the server",
        "AKIATOOSHORT ghp_short sk-short",
        "-----BEGIN CERTIFICATE-----",
    ],
)
def test_code_and_prose_stay(text: str) -> None:
    assert redact(text).value == text


@pytest.mark.parametrize("cut", [slice(None), slice(0, 3), slice(2, None), slice(1, 3)])
def test_a_private_key_in_lines_of_their_own(cut: slice) -> None:
    value = {
        "lines": [{"line": number, "text": text} for number, text in enumerate(["before", *KEY[cut], "and after"])]
    }
    redacted = redact(value)
    text = json.dumps(redacted.value)
    assert "MIIE" not in text
    assert "before" in text
    assert "after" in text
    assert redacted.names


@pytest.mark.parametrize(
    "text", ["\n".join(KEY), "\\n".join(KEY), "\n".join(KEY[:3]), f'key = """{chr(10).join(KEY)}"""']
)
def test_a_private_key_in_one_text(text: str) -> None:
    assert "MIIE" not in redact(text).value
    assert redact(text).names == ("private-key",)


def test_members_with_the_name_of_a_secret() -> None:
    value = {"env": {"DB_PASSWORD": "abcdefg", "USER": "joe"}, "token": ["x"], 5: "five"}
    assert redact(value).value == {**value, "env": {"DB_PASSWORD": "[redacted:assigned-secret]", "USER": "joe"}}


LINES = st.text(st.sampled_from(string.ascii_letters + string.digits + "=:\"'-_/+.@ \n\\{}()<>|&"), max_size=80)
SEEDS = st.sampled_from(
    ["password=", "-----BEGIN PRIVATE KEY-----", "ghp_", "://", "Bearer ", "token: '", "key", '"secret":"']
)
TEXTS = st.lists(LINES | SEEDS, max_size=8).map("".join)


@settings(deadline=None)
@given(
    st.recursive(
        TEXTS | st.integers(), lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=3)
    )
)
def test_only_strings_change_and_a_change_is_named(value: object) -> None:
    once = redact(value)
    assert _shape(once.value) == _shape(value)
    assert (once.value == value) == (once.names == ())


def _shape(value: object) -> object:
    if isinstance(value, dict):
        return {key: _shape(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_shape(item) for item in value]
    return str if isinstance(value, str) else value


@settings(deadline=None)
@given(TEXTS, st.sampled_from(TOKENS), TEXTS)
def test_a_token_anywhere_is_gone(before: str, shape, after: str) -> None:
    letters = sorted(char for char in shape.alphabet if char.isalnum())
    token = "1" * shape.before + shape.prefix + "".join(letters[(5 * n + 3) % len(letters)] for n in range(shape.least))
    assert token not in redact(f"{before} {token} {after}").value


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env.local",
        "prod.env",
        "id_rsa",
        "certs/server.pem",
        "x.key",
        "home/.aws/credentials",
        ".npmrc",
        "A/.ENV",
    ],
)
def test_files_of_secrets_are_known_by_their_names(path: str) -> None:
    assert holds_secrets(path)


@pytest.mark.parametrize(
    "path", [".env.example", "env.py", "src/environment.ts", "id_rsa.pub", "keys.py", "monkey", "a.keys"]
)
def test_other_files_are_not(path: str) -> None:
    assert not holds_secrets(path)


@pytest.mark.parametrize("command", ["cat .env", "cat './.env'", "scp deploy@host:keys/id_rsa .", "x; cat a/.env|sort"])
def test_a_command_that_names_such_a_file(command: str) -> None:
    assert mentions_secret_file({"command": command})
    assert not mentions_secret_file({"command": "cat env.py .env.example"})


@pytest.mark.parametrize("where", ["files", "args"])
def test_nothing_of_a_file_of_secrets_reaches_the_journal(journal: Journal, where: str) -> None:
    shown = {"lines": [{"line": 1, "text": "PIN=9182736455"}]}
    files = {".env": "0" * 64} if where == "files" else {}
    args = {"command": "cat .env"} if where == "args" else {}
    entry = journal.append(draft(result=shown, files=files, args=args))
    assert entry.redacted == ("secret-file",)
    other = journal.append(draft(result={"lines": []}, files=files, args=args))
    assert entry.result_hash == other.result_hash  # the hash tells nothing either
    assert b"9182736455" not in (state(journal) / "journal.jsonl").read_bytes()


def test_nothing_of_a_secret_reaches_the_journal(journal: Journal) -> None:
    token = "ghp_" + "a1B2" * 9
    lines = [{"text": text} for text in [f"x = '{token}'", *KEY, "PASSWORD=9182736455"]]
    entry = journal.append(draft(args={"pattern": token, "env": {"API_TOKEN": "9182736455"}}, result={"lines": lines}))
    written = (state(journal) / "journal.jsonl").read_text()
    for secret in (token, "9182736455", "MIIE"):
        assert secret not in written
    assert set(entry.redacted) == {"assigned-secret", "github-token", "private-key"}
