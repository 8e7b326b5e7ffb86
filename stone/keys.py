"""Commitments to a watermark's secret key: what may be written where the key may not."""

import hashlib
import hmac
import secrets


def commit(key: int) -> str:
    """A salted scrypt digest of a key: it proves which key was used and is too slow to search for short ones."""
    salt = secrets.token_bytes(16)
    return f"scrypt${salt.hex()}${_stretched(key, salt).hex()}"


def same_key(key: int, commitment: str) -> bool:
    try:
        _, salt, digest = commitment.split("$")
        return hmac.compare_digest(_stretched(key, bytes.fromhex(salt)), bytes.fromhex(digest))
    except ValueError:
        raise ValueError(f"{commitment[:40]!r} is no commitment to a key; what holds it is damaged") from None


def _stretched(key: int, salt: bytes) -> bytes:
    return hashlib.scrypt(str(key).encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
