"""SHA-256, without loading OpenSSL: `import hashlib` takes 2.5 ms of the 8 ms in which Python starts."""

from __future__ import annotations

try:
    from _sha2 import sha256  # type: ignore[import-not-found]
except ImportError:  # a build without digests of its own
    from hashlib import sha256


def sha256_hex(data: bytes) -> str:
    """The digest in 64 lower-case hexadecimal digits."""
    digest: str = sha256(data).hexdigest()
    return digest
