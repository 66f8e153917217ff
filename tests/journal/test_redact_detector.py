"""Redaction against a maintained detector: what detect-secrets finds in a line must be gone from the redacted line."""

from __future__ import annotations

import random
import string

import pytest
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import transient_settings

from engram.journal.redact import redact

ALNUM = string.ascii_letters + string.digits
DASHED = ALNUM + "-_"
HEXADECIMAL = "0123456789abcdef"
# The detectors whose secrets have a shape or a name; the entropy detectors flag every checksum as well.
DETECTORS = (
    *("AWSKeyDetector", "AzureStorageKeyDetector", "BasicAuthDetector", "CloudantDetector", "GitHubTokenDetector"),
    *("GitLabTokenDetector", "JwtTokenDetector", "KeywordDetector", "MailchimpDetector", "NpmDetector"),
    *("OpenAIDetector", "PrivateKeyDetector", "PypiTokenDetector", "SendGridDetector", "SlackDetector"),
    *("SquareOAuthDetector", "StripeDetector", "TelegramBotTokenDetector", "TwilioKeyDetector"),
)


def _random(alphabet: str, length: int, seed: int = 7) -> str:
    """Made at run time: a repository should not hold strings that scanners report."""
    text = "".join(random.Random(f"{alphabet}{length}{seed}").choices(alphabet, k=length - 1))
    return text + next(char for char in reversed(alphabet) if char.isalnum())


TOKENS = {
    "aws key id": "AKIA" + _random(string.ascii_uppercase + string.digits, 16),
    "aws session key id": "ASIA" + _random(string.ascii_uppercase + string.digits, 16),
    "azure": "AccountKey=" + _random(ALNUM, 86) + "==",
    "basic auth": "https://joe:" + _random(ALNUM, 12) + "@example.com/x",
    "cloudant": "https://acme:" + _random(HEXADECIMAL, 64) + "@acme.cloudant.com",
    **{f"github {kind}": f"{kind}_{_random(ALNUM, 36)}" for kind in ("ghp", "gho", "ghu", "ghs", "ghr")},
    **{f"gitlab {kind}": f"{kind}-{_random(DASHED, 20)}" for kind in ("glpat", "gldt", "glft", "glsoat", "glrt")},
    "gitlab runner": "GR1348941" + _random(DASHED, 20),
    "gitlab job": "glcbt-" + _random(DASHED, 20),
    "gitlab mail": "glimt-" + _random(DASHED, 25),
    "gitlab trigger": "glptt-" + _random(DASHED, 40),
    "gitlab agent": "glagent-" + _random(DASHED, 50),
    "mailchimp": _random(HEXADECIMAL, 32) + "-us12",
    "npm": "//npm.example.org/:_authToken=npm_" + _random(ALNUM, 36),
    "openai": "sk-" + _random(ALNUM, 20) + "T3BlbkFJ" + _random(ALNUM, 20, 8),
    "pypi": "pypi-AgEIcHlwaS5vcmc" + _random(DASHED, 80),
    "test pypi": "pypi-AgENdGVzdC5weXBpLm9yZw" + _random(DASHED, 80),
    "sendgrid": "SG." + _random(DASHED, 22) + "." + _random(DASHED, 43),
    "slack bot": "xoxb-" + _random(string.digits, 12) + "-" + _random(string.ascii_lowercase + string.digits, 24),
    "slack hook": "https://hooks.slack.com/services/T"
    + "/B".join((_random(ALNUM, 8), _random(ALNUM, 8, 8) + "/" + _random(ALNUM, 24))),
    "square": "sq0csp-" + _random(DASHED, 43),
    "stripe": "sk_live_" + _random(ALNUM, 24),
    "stripe restricted": "rk_live_" + _random(ALNUM, 24),
    "telegram": _random(string.digits, 10) + ":AA" + _random(DASHED, 33),
    "twilio account": "AC" + _random(HEXADECIMAL, 32),
    "twilio key": "SK" + _random(HEXADECIMAL, 32),
    "jwt": "eyJ" + ".".join(_random(ALNUM, 30, seed) for seed in (1, 2, 3)),
}
NAMES = (
    *("api_key", "apikey", "API_KEY", "auth_key", "service_key", "account_key", "db_key", "database_key", "priv_key"),
    *("private_key", "client_key", "db_pass", "database_pass", "key_pass", "password", "passwd", "pwd", "secret"),
    *("contrasena", "client_secret", "SECRET_KEY", "my_password", "password_secure", "aws_secret_access_key"),
)
ASSIGNMENTS = (
    '{name} = "{value}"',
    "{name}='{value}'",
    '{name} := "{value}"',
    '"{name}": "{value}"',
    '{name}: "{value}"',
    '{name} => "{value}"',
    'if {name} == "{value}":',
    'config["{name}"] = "{value}"',
    "{name}={value}",
    "{name}: {value}",
    'String {name} = "{value}";',
    'set({name}, "{value}")',
    '{name}("{value}")',
    'if ("{value}" == {name}) {{}}',
)


@pytest.fixture(scope="module", autouse=True)
def _detectors():
    with transient_settings({"plugins_used": [{"name": name} for name in DETECTORS]}):
        yield


def _found(line: str) -> dict[str, str]:
    return {secret.secret_value: secret.type for secret in scan_line(line) if secret.secret_value}


@pytest.mark.parametrize("kind", TOKENS)
@pytest.mark.parametrize("form", ['x = "{}"', "{}", "see {} there", "curl -H 'X: {}'", "+{}", '{{"a": "{}"}}'])
def test_no_token_that_a_detector_finds_is_left(kind: str, form: str) -> None:
    line = form.format(TOKENS[kind])
    redacted = redact(line).value
    assert TOKENS[kind] not in redacted
    assert [secret for secret in _found(redacted) if "redacted" not in secret] == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", ASSIGNMENTS)
def test_no_assigned_secret_that_a_detector_finds_is_left(name: str, form: str) -> None:
    value = _random(ALNUM + "!%+", 14)
    line = form.format(name=name, value=value)
    if value in _found(line):
        assert value not in redact(line).value


def test_the_detector_does_find_these() -> None:
    lines = [form.format(name=name, value=_random(ALNUM + "!%+", 14)) for name in NAMES for form in ASSIGNMENTS]
    assert sum(bool(_found(line)) for line in lines) > len(lines) / 2
    assert sum(bool(_found(f'x = "{token}"')) for token in TOKENS.values()) > 0.9 * len(TOKENS)
