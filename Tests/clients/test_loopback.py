"""A machine that has only one of the loopback addresses (`ControlAPI#Listeners`)."""

from __future__ import annotations

import pytest

from commandline import Command
from namespaces import Namespace
from server import binary


@pytest.mark.parametrize(
    ("missing", "host"), [("127.0.0.1/8", "[::1]"), ("::1/128", "127.0.0.1")], ids=["IPv6 alone", "IPv4 alone"]
)
def test_localhost_is_the_address_that_there_is(missing: str, host: str, mynah_command: Command) -> None:
    namespace = Namespace()
    try:
        namespace.ip("addr", "del", missing, "dev", "lo")
        # By the address, because the name may not lead to it here.
        send = f"{binary()} send --host {host.strip('[]')} --to {'ab' * 32} --topic com.example.app --alert hi"
        script = f'echo "$MYNAH_URL"; {send} | head -n 1'
        with namespace.entered():
            done = mynah_command("exec", "--proxy-port", "0", "--", "sh", "-c", script)
        assert done.returncode == 0, done
        url, answer = done.stdout.splitlines()
        assert url.startswith(f"http://{host}:") and answer.startswith("200"), done
    finally:
        namespace.remove()
