"""TLS identities of a table: a throw-away authority that every member can rebuild, and a certificate for each long-term
key.

The 16-byte table secret seeds the key of a certificate authority. Whoever knows the secret can therefore issue a
certificate, and each player issues one for its own long-term Ed25519 key; both ends of a link demand a certificate
of that authority. TLS proves that the other end holds the private key, so the identity of a link is the key in the
certificate (SubjectPublicKeyInfo), never a name. Forward secrecy is TLS 1.3's own (RFC 8446): knowing the secret
later decrypts nothing.
"""

import hashlib
import os
import secrets
import ssl
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, PrivateFormat
from cryptography.x509.oid import NameOID

from p2pkaboo.crypto.group import CryptoDecodeError
from p2pkaboo.crypto.identity import PublicIdentity

__all__ = ["SECRET_BYTES", "BadCertificate", "identity_of", "table_contexts"]

SECRET_BYTES: Final = 16
"""Length of a table secret: 128 bits cannot be guessed, and an invite stays short."""

_CA_TAG: Final = b"p2pkaboo/v1/table-ca"
# Certificates are made anew for each run and pinned by key, so their dates protect nothing; fixed ones keep wrong
# clocks harmless.
_NOT_BEFORE: Final = datetime(2020, 1, 1, tzinfo=UTC)
_NOT_AFTER: Final = datetime(2120, 1, 1, tzinfo=UTC)


class BadCertificate(Exception):
    """The other end's certificate does not name a player: the message says what is wrong with it."""


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        key_cert_sign=signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )


def _authority_key(secret: bytes) -> Ed25519PrivateKey:
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a table secret has {SECRET_BYTES} bytes, this one has {len(secret)}")
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(_CA_TAG + secret).digest())


def _authority_certificate(key: Ed25519PrivateKey) -> x509.Certificate:
    """The same bytes for everybody who knows the secret: Ed25519 signatures are deterministic and nothing else
    varies."""
    return (
        x509.CertificateBuilder()
        .subject_name(_name("table"))
        .issuer_name(_name("table"))
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_key_usage(signs_certificates=True), critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .sign(key, None)
    )


def _leaf(authority: Ed25519PrivateKey, issuer: x509.Certificate, identity: Ed25519PrivateKey) -> x509.Certificate:
    return (
        x509.CertificateBuilder()
        .subject_name(_name("player"))
        .issuer_name(issuer.subject)
        .public_key(identity.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_NOT_BEFORE)
        .not_valid_after(_NOT_AFTER)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(authority.public_key()), critical=False)
        .sign(authority, None)
    )


@contextmanager
def _as_file(content: bytes) -> Iterator[str]:
    """A path under which `content` can be read once; memory only where the system can, else a file in a folder of
    the user's own (0700)."""
    if sys.platform == "linux":
        descriptor = os.memfd_create("certificate")
        try:
            os.write(descriptor, content)
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        # A folder, since Windows does not open an open temporary file twice.
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "certificate")
            with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(content)
            yield path


def table_contexts(secret: bytes, identity: Ed25519PrivateKey) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """The (client, server) TLS contexts of the player with the key `identity` at the table with that secret.

    TLS 1.3 only; both demand a certificate of the table's authority from the other end. Whose it is the caller asks
    `identity_of`. Raises ValueError for a secret of the wrong length.
    """
    authority = _authority_key(secret)
    issuer = _authority_certificate(authority)
    leaf = _leaf(authority, issuer, identity)
    # `ssl` loads keys from files only. The password, known to nobody a moment later, makes what a crash could leave
    # behind useless.
    password = secrets.token_hex(16)
    chain = identity.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password.encode()))
    chain += leaf.public_bytes(Encoding.PEM)
    contexts = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    for context in contexts:
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        # The dialler pins the key itself: no name could say more, and a name in the greeting would tell onlookers what
        # this is.
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=issuer.public_bytes(Encoding.PEM).decode())
        with _as_file(chain) as path:
            context.load_cert_chain(path, password=password)
    # No tickets: a resumed session would carry the identity of an earlier link instead of proving it anew.
    contexts[1].num_tickets = 0
    return contexts


def identity_of(certificate: bytes | None, secret: bytes) -> bytes:
    """The 32-byte Ed25519 key that a verified DER certificate names.

    `certificate` is what `SSLSocket.getpeercert(binary_form=True)` gave, so its chain is already verified. Raises
    BadCertificate if there is none, if its key is not Ed25519 or not strictly so, or if it is the authority's own
    key, which every member holds.
    """
    if not certificate:
        raise BadCertificate("the other end showed no certificate, expected one of this table")
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except Exception as error:  # a parser of foreign bytes: whatever it finds wrong is one thing to us
        raise BadCertificate("the other end's certificate cannot be read") from error
    if not isinstance(key, Ed25519PublicKey):
        kind = type(key).__name__.strip("_")
        raise BadCertificate(f"the other end's certificate holds a {kind}, expected an Ed25519 key")
    raw = key.public_bytes_raw()
    if raw == _authority_key(secret).public_key().public_bytes_raw():
        raise BadCertificate("the other end shows the table's shared key as its own, expected a player's key")
    try:
        PublicIdentity.decode(raw)
    except CryptoDecodeError as error:
        raise BadCertificate(f"the other end's key cannot be a player's: {error}") from error
    return raw
