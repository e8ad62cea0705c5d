"""expand_message_xmd and hash-to-group against RFC 9380 and RFC 9497."""

import hashlib

import pytest

from p2pkaboo.crypto.group import Point, decode_scalar, hash_to_group
from p2pkaboo.crypto.hashing import expand_message_xmd

# RFC 9380, appendix K.3: expand_message_xmd with SHA-512.
TAG = b"QUUX-V01-CS02-with-expander-SHA512-256"
MESSAGES = (b"", b"abc", b"abcdef0123456789", b"q128_" + b"q" * 128, b"a512_" + b"a" * 512)
SHORT = (
    "6b9a7312411d92f921c6f68ca0b6380730a1a4d982c507211a90964c394179ba",
    "0da749f12fbe5483eb066a5f595055679b976e93abe9be6f0f6318bce7aca8dc",
    "087e45a86e2939ee8b91100af1583c4938e0f5fc6c9db4b107b83346bc967f58",
    "7336234ee9983902440f6bc35b348352013becd88938d2afec44311caf8356b3",
    "57b5f7e766d5be68a6bfe1768e3c2b7f1228b3e4b3134956dd73a59b954c66f4",
)
LONG = (
    "41b037d1734a5f8df225dd8c7de38f851efdb45c372887be655212d07251b921"
    "b052b62eaed99b46f72f2ef4cc96bfaf254ebbbec091e1a3b9e4fb5e5b619d2e"
    "0c5414800a1d882b62bb5cd1778f098b8eb6cb399d5d9d18f5d5842cf5d13d7e"
    "b00a7cff859b605da678b318bd0e65ebff70bec88c753b159a805d2c89c55961",
    "7f1dddd13c08b543f2e2037b14cefb255b44c83cc397c1786d975653e36a6b11"
    "bdd7732d8b38adb4a0edc26a0cef4bb45217135456e58fbca1703cd6032cb134"
    "7ee720b87972d63fbf232587043ed2901bce7f22610c0419751c065922b48843"
    "1851041310ad659e4b23520e1772ab29dcdeb2002222a363f0c2b1c972b3efe1",
    "3f721f208e6199fe903545abc26c837ce59ac6fa45733f1baaf0222f8b7acb04"
    "24814fcb5eecf6c1d38f06e9d0a6ccfbf85ae612ab8735dfdf9ce84c372a77c8"
    "f9e1c1e952c3a61b7567dd0693016af51d2745822663d0c2367e3f4f0bed827f"
    "eecc2aaf98c949b5ed0d35c3f1023d64ad1407924288d366ea159f46287e61ac",
    "b799b045a58c8d2b4334cf54b78260b45eec544f9f2fb5bd12fb603eaee70db7"
    "317bf807c406e26373922b7b8920fa29142703dd52bdf280084fb7ef69da78af"
    "df80b3586395b433dc66cde048a258e476a561e9deba7060af40adf30c64249c"
    "a7ddea79806ee5beb9a1422949471d267b21bc88e688e4014087a0b592b695ed",
    "05b0bfef265dcee87654372777b7c44177e2ae4c13a27f103340d9cd11c86cb2"
    "426ffcad5bd964080c2aee97f03be1ca18e30a1f14e27bc11ebbd650f305269c"
    "c9fb1db08bf90bfc79b42a952b46daf810359e7bc36452684784a64952c343c5"
    "2e5124cd1f71d474d5197fefc571a92929c9084ffe1112cf5eea5192ebff330b",
)

# RFC 9497, appendix A.1.1 (ristretto255-SHA512, mode 0): input, and blind times the input's element.
OPRF_TAG = b"HashToGroup-OPRFV1-\x00-ristretto255-SHA512"
OPRF_BLIND = "64d37aed22a27f5191de1c1d69fadb899d8862b58eb4220029e036ec4c1f6706"
OPRF = [
    ("00", "609a0ae68c15a3cf6903766461307e5c8bb2f95e7e6550e1ffa2dc99e412803c"),
    ("5a" * 17, "da27ef466870f5f15296299850aa088629945a17d1f5b7f5ff043f76b3c06418"),
]


@pytest.mark.parametrize(
    ("message", "expected"), [*zip(MESSAGES, SHORT, strict=True), *zip(MESSAGES, LONG, strict=True)]
)
def test_expansion(message: bytes, expected: str) -> None:
    assert expand_message_xmd(message, TAG, len(expected) // 2).hex() == expected


@pytest.mark.parametrize(("message", "blinded"), OPRF)
def test_hash_to_group(message: str, blinded: str) -> None:
    point = hash_to_group(OPRF_TAG, bytes.fromhex(message))
    assert (point * decode_scalar(bytes.fromhex(OPRF_BLIND))).encoded.hex() == blinded
    assert Point.decode(point.encoded) == point


def test_long_tags_are_hashed_first() -> None:
    whole, cut = expand_message_xmd(b"m", b"t" * 256, 64), expand_message_xmd(b"m", b"t" * 255, 64)
    assert whole != cut
    # RFC 9380, section 5.3.3, by hand.
    short = hashlib.sha512(b"H2C-OVERSIZE-DST-" + b"t" * 256).digest()
    assert whole == expand_message_xmd(b"m", short, 64)


def test_tags_separate() -> None:
    assert hash_to_group(b"one", b"m") != hash_to_group(b"two", b"m")
    assert hash_to_group(b"one", b"m") != hash_to_group(b"onem", b"")


def test_limits() -> None:
    assert len(expand_message_xmd(b"m", b"t", 16320)) == 16320
    for length in (-1, 0, 16321):
        with pytest.raises(ValueError, match="16320"):
            expand_message_xmd(b"m", b"t", length)
    with pytest.raises(ValueError, match="empty"):
        expand_message_xmd(b"m", b"", 64)
