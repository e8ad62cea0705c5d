import hashlib
import os
import ssl
import stat
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from p2pkaboo.net import tls
from p2pkaboo.net.tls import BadCertificate, identity_of, table_contexts

SECRET = b"0123456789abcdef"


def certificate_for(key: Ed25519PublicKey | rsa.RSAPublicKey) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "anybody")])
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key)
        .serial_number(7)
        .not_valid_before(tls._NOT_BEFORE)
        .not_valid_after(tls._NOT_AFTER)
        .sign(Ed25519PrivateKey.generate(), None)
        .public_bytes(Encoding.DER)
    )


def test_contexts_demand_tls_1_3_and_a_certificate() -> None:
    client, server = table_contexts(SECRET, Ed25519PrivateKey.generate())
    for context in (client, server):
        assert context.minimum_version is ssl.TLSVersion.TLSv1_3
        assert context.verify_mode is ssl.CERT_REQUIRED
        assert len(context.get_ca_certs()) == 1
    assert server.num_tickets == 0


def test_every_member_builds_the_same_authority() -> None:
    one, other = (table_contexts(SECRET, Ed25519PrivateKey.generate())[0].get_ca_certs(True) for _ in range(2))
    stranger = table_contexts(os.urandom(16), Ed25519PrivateKey.generate())[0].get_ca_certs(True)
    assert one == other
    assert one != stranger


@pytest.mark.parametrize("length", [0, 15, 17, 32])
def test_a_secret_of_another_length_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"16 bytes, this one has {length}"):
        table_contexts(bytes(length), Ed25519PrivateKey.generate())


def test_the_key_never_lies_in_a_file_that_others_can_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("sys.platform", "darwin")
    with tls._as_file(b"content") as path:
        assert Path(path).read_bytes() == b"content"
        assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
        assert stat.S_IMODE(os.stat(Path(path).parent).st_mode) == 0o700
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_in_the_clear(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[bytes] = []
    original = tls._as_file

    def watched(content: bytes) -> AbstractContextManager[str]:
        written.append(content)
        return original(content)

    monkeypatch.setattr(tls, "_as_file", watched)
    identity = Ed25519PrivateKey.generate()
    table_contexts(SECRET, identity)
    assert len(written) == 2
    for content in written:
        assert content.startswith(b"-----BEGIN ENCRYPTED PRIVATE KEY-----")
        assert identity.private_bytes_raw() not in content


def test_no_descriptor_is_left_open() -> None:
    table_contexts(SECRET, Ed25519PrivateKey.generate())  # whatever is opened once and kept, such as OpenSSL's files
    before = len(os.listdir("/dev/fd"))
    table_contexts(SECRET, Ed25519PrivateKey.generate())
    assert len(os.listdir("/dev/fd")) == before


def test_identity_is_the_key_in_the_certificate() -> None:
    key = Ed25519PrivateKey.generate().public_key()
    assert identity_of(certificate_for(key), SECRET) == key.public_bytes_raw()


def test_keys_that_are_no_players_are_refused() -> None:
    rsa_key = rsa.generate_private_key(public_exponent=65537, key_size=1024).public_key()
    shared = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(tls._CA_TAG + SECRET).digest()).public_key()
    neutral = Ed25519PublicKey.from_public_bytes(bytes([1]) + bytes(31))
    for certificate, reason in (
        (None, "showed no certificate"),
        (b"\x30\x00", "cannot be read"),
        (certificate_for(rsa_key), "RSAPublicKey, expected an Ed25519 key"),
        (certificate_for(shared), "shared key"),
        (certificate_for(neutral), "cannot be a player's"),
    ):
        with pytest.raises(BadCertificate, match=reason):
            identity_of(certificate, SECRET)


def test_the_authority_certificate_is_the_same_bytes_each_time() -> None:
    key = tls._authority_key(SECRET)
    first, second = tls._authority_certificate(key), tls._authority_certificate(key)
    assert first.public_bytes(Encoding.DER) == second.public_bytes(Encoding.DER)
