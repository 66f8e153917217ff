"""What a secret looks like: the tables that redaction works from.  Data only.

The shapes are those that the issuers document for their tokens (prefix, alphabet, least length); a test compares
them with the detect-secrets package.  No regular expressions: importing `re` and compiling thirty of them takes
longer than the whole of an append.
"""

from __future__ import annotations

import os

from engram.model import Value

UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
LOWER = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789"
WORD = frozenset(UPPER + LOWER + DIGITS + "_")
DASHED = WORD | {"-"}
DOTTED = DASHED | {"."}
BASE64 = frozenset(UPPER + LOWER + DIGITS + "+/=")
CAPITALS = frozenset(UPPER + DIGITS)
HEXADECIMAL = frozenset("abcdef" + DIGITS)


class TokenShape(Value):
    """A token with `prefix` (which is part of it), after which `least` or more of `alphabet` follow.

    Where `before` is given, that many (exactly, or more) of the same alphabet stand before the prefix.
    """

    name: str
    prefix: str
    alphabet: frozenset[str]
    least: int
    before: int = 0


TOKENS = (
    TokenShape("anthropic-key", "sk-ant-", DASHED, 20),
    TokenShape("openai-key", "sk-proj-", DASHED, 20),
    TokenShape("openai-key", "sk-svcacct-", DASHED, 20),
    TokenShape("openai-key", "sk-", frozenset(UPPER + LOWER + DIGITS), 32),
    TokenShape("aws-key-id", "AKIA", CAPITALS, 16),
    TokenShape("aws-key-id", "ASIA", CAPITALS, 16),
    TokenShape("aws-key-id", "ABIA", CAPITALS, 16),
    TokenShape("aws-key-id", "ACCA", CAPITALS, 16),
    TokenShape("aws-key-id", "A3T", CAPITALS, 17),
    TokenShape("github-token", "ghp_", WORD, 30),
    TokenShape("github-token", "gho_", WORD, 30),
    TokenShape("github-token", "ghu_", WORD, 30),
    TokenShape("github-token", "ghs_", WORD, 30),
    TokenShape("github-token", "ghr_", WORD, 30),
    TokenShape("github-token", "github_pat_", WORD, 40),
    TokenShape("gitlab-token", "glpat-", DASHED, 20),
    TokenShape("gitlab-token", "gldt-", DASHED, 20),
    TokenShape("gitlab-token", "glft-", DASHED, 20),
    TokenShape("gitlab-token", "glsoat-", DASHED, 20),
    TokenShape("gitlab-token", "glrt-", DASHED, 20),
    TokenShape("gitlab-token", "glcbt-", DASHED, 20),
    TokenShape("gitlab-token", "glptt-", DASHED, 20),
    TokenShape("gitlab-token", "glimt-", DASHED, 20),
    TokenShape("gitlab-token", "glagent-", DASHED, 20),
    TokenShape("gitlab-token", "gloas-", DASHED, 20),
    TokenShape("gitlab-token", "GR1348941", DASHED, 20),
    TokenShape("google-key", "AIza", DASHED, 35),
    TokenShape("google-oauth", "ya29.", DASHED, 20),
    TokenShape("google-oauth", "GOCSPX-", DASHED, 20),
    TokenShape("slack-token", "xoxa-", DASHED, 10),
    TokenShape("slack-token", "xoxb-", DASHED, 10),
    TokenShape("slack-token", "xoxp-", DASHED, 10),
    TokenShape("slack-token", "xoxo-", DASHED, 10),
    TokenShape("slack-token", "xoxr-", DASHED, 10),
    TokenShape("slack-token", "xoxs-", DASHED, 10),
    TokenShape("slack-token", "xapp-", DASHED, 10),
    TokenShape("slack-hook", "hooks.slack.com/services/", WORD | {"/"}, 20),
    TokenShape("discord-hook", "/api/webhooks/", DASHED | {"/"}, 40),
    TokenShape("stripe-key", "sk_live_", WORD, 16),
    TokenShape("stripe-key", "rk_live_", WORD, 16),
    TokenShape("stripe-key", "sk_test_", WORD, 16),
    TokenShape("npm-token", "npm_", WORD, 36),
    TokenShape("npm-token", ":_authToken=", DASHED | BASE64, 16),
    TokenShape("pypi-token", "pypi-AgEIcHlwaS5vcmc", DASHED, 50),
    TokenShape("pypi-token", "pypi-AgENdGVzdC5weXBpLm9yZw", DASHED, 50),
    TokenShape("sendgrid-key", "SG.", DOTTED, 60),
    TokenShape("twilio-key", "SK", HEXADECIMAL, 32),
    TokenShape("twilio-key", "AC", HEXADECIMAL, 32),
    TokenShape("square-key", "sq0csp-", DASHED, 20),
    TokenShape("square-key", "sq0atp-", DASHED, 20),
    TokenShape("shopify-token", "shpat_", WORD, 32),
    TokenShape("shopify-token", "shpss_", WORD, 32),
    TokenShape("huggingface-token", "hf_", WORD, 30),
    TokenShape("digitalocean-token", "dop_v1_", WORD, 40),
    TokenShape("digitalocean-token", "doo_v1_", WORD, 40),
    TokenShape("vault-token", "hvs.", DASHED, 20),
    TokenShape("linear-key", "lin_api_", WORD, 30),
    TokenShape("notion-key", "ntn_", WORD, 30),
    TokenShape("databricks-token", "dapi", HEXADECIMAL, 32),
    TokenShape("age-key", "AGE-SECRET-KEY-1", CAPITALS, 50),
    TokenShape("telegram-token", ":AA", DASHED, 33, before=8),
    TokenShape("mailchimp-key", "-us", HEXADECIMAL, 1, before=32),
    TokenShape("jwt", "eyJ", DOTTED, 40),
)

# In lower case and without `_` and `-`: a name that ends in one of these stands before a secret.
SECRET_NAMES = (
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "clientkey",
    "databasekey",
    "privkey",
    "keypass",
    "contrasena",
    "contraseña",
    "accesskey",
    "privatekey",
    "secretkey",
    "signingkey",
    "encryptionkey",
    "accountkey",
    "storagekey",
    "authkey",
    "servicekey",
    "dbkey",
    "dbpass",
    "databasepass",
    "credential",
    "credentials",
    "connectionstring",
)
# A name with one of these anywhere does, too: `password_secure`.
SECRET_PARTS = ("password", "passwd", "secret")
# What may follow such a name without changing what it is.
NAME_TAILS = (
    "value",
    "string",
    "text",
    "base64",
    "b64",
    "prod",
    "production",
    "staging",
    "dev",
    "test",
    "live",
    "default",
)
# What must stand in the text (in lower case) for a name of SECRET_NAMES to be there.
NAME_STEMS = (
    "passw",
    "passp",
    "pwd",
    "secret",
    "token",
    "key",
    "dbpass",
    "db_pass",
    "base_pass",
    "basepass",
    "contrase",
    "credential",
    "connection",
)

# Values that are no secret: what an example writes in its place.
PLACEHOLDERS = (
    "changeme",
    "change_me",
    "change-me",
    "example",
    "placeholder",
    "your",
    "xxxx",
    "****",
    "....",
    "<",
    "${",
    "$(",
    "{{",
    "%(",
    "%s",
    "{",
    "$",
    "[redacted",
)

KEY_NAMES = frozenset(
    [
        "id_rsa",
        "id_dsa",
        "id_ecdsa",
        "id_ed25519",
        "id_ecdsa_sk",
        "id_ed25519_sk",
        ".netrc",
        "_netrc",
        ".pgpass",
        ".htpasswd",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        ".dockercfg",
        ".vault-token",
        "credentials.json",
        "service-account.json",
        "serviceaccount.json",
        "secrets.yml",
        "secrets.yaml",
        "secrets.json",
        "secrets.toml",
        "master.key",
        "kubeconfig",
        ".envrc",
        ".my.cnf",
        ".boto",
        ".s3cfg",
    ]
)
KEY_PATHS = (".aws/credentials", ".docker/config.json", ".kube/config", ".cargo/credentials.toml", ".cargo/credentials")
KEY_ENDINGS = (
    ".pem",
    ".key",
    ".p12",
    ".pfx",
    ".jks",
    ".keystore",
    ".kdbx",
    ".ppk",
    ".p8",
    ".asc.key",
    ".ovpn",
    ".tfvars",
)
ENV_EXAMPLES = (".example", ".sample", ".template", ".dist", ".defaults", ".tpl", ".md", ".py", ".ts", ".js", ".d.ts")


def holds_secrets(path: str) -> bool:
    """True for the path of a key file or of an `.env`-like file, by its name alone; no file is looked at."""
    lowered = path.replace(os.sep, "/").lower()
    name = lowered.rpartition("/")[2]
    if name in KEY_NAMES or name.endswith(KEY_ENDINGS) or lowered.endswith(KEY_PATHS):
        return True
    env_like = name == ".env" or name.startswith(".env.") or (name.endswith(".env") and name != ".env")
    return env_like and not name.endswith(ENV_EXAMPLES)
