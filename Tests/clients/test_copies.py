"""How often the body of a push is copied on its way into the journal (`Architecture#The-benchmark`)."""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from conftest import unique_token
from h2client import connect
from server import Mynah

SOURCE = Path(__file__).parent / "counted_copies.c"
BODY_BYTES = 4000
PUSHES = 50
# OpenSSL takes a record from what was read, and gives its content; that goes to the request of a stream, and from there to
# the bytes that devices and the journal share.
COPIES_PER_PUSH = 4


def test_a_body_is_copied_four_times(own_mynah: Callable[..., Mynah], tmp_path: Path) -> None:
    if shutil.which("cc") is None:
        pytest.skip("a C compiler is missing")
    library, counted = tmp_path / "copies.so", tmp_path / "copies"
    defined = (f'-DCOPIES_FILE="{counted}"', f"-DCOPY_BYTES={BODY_BYTES}")
    subprocess.run(
        ["cc", "-O2", "-fno-builtin", "-shared", "-fPIC", *defined, "-o", library, SOURCE], check=True
    )  # fmt: skip
    mynah = own_mynah(LD_PRELOAD=str(library))
    body = b'{"aps":{"alert":"%s"}}' % (b"x" * BODY_BYTES)
    with connect(mynah) as connection:
        # What is made once, such as buffers that grow, is made before.
        connection.push(unique_token(), body).assert_accepted()
        [before] = struct.unpack("Q", counted.read_bytes())
        for _ in range(PUSHES):
            connection.push(unique_token(), body).assert_accepted()
        [after] = struct.unpack("Q", counted.read_bytes())
    assert 0 < after - before <= COPIES_PER_PUSH * PUSHES, f"{(after - before) / PUSHES} copies per push"
