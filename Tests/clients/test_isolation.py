"""A hundred tests that share one server, each in its scope (`control-api.md`, *Scopes*)."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from devices import add_device, token_of, unique_id
from h2client import connect
from server import Mynah

TESTS = 100
HI = b'{"aps":{"alert":"hi"}}'


class ScopedTest:
    """What one of the hundred does, from its devices to the end of its scope."""

    def __init__(self, mynah: Mynah, number: int) -> None:
        self.mynah = mynah
        self.number = number
        self.scope = unique_id("scope")
        self.count = 1 + number % 3

    def expect(self, **expectation: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.mynah.control.post("/v1/expectations", {"scope": self.scope} | expectation)
        return answer

    def run(self) -> int:
        device = add_device(self.mynah, scope=self.scope, locale="de")
        offline = add_device(self.mynah, scope=self.scope, online=False)
        after = self.mynah.control.last_sequence()
        with connect(self.mynah) as connection:
            for _ in range(self.count):
                connection.push(token_of(device), HI).assert_accepted()
            # Not in the future of the server's clock only, but of every other scope's with a smaller number.
            ends = str(int(time.time()) + 3600 * (self.number + 1))
            connection.push(token_of(offline), HI, further=[("apns-expiration", ends)]).assert_accepted()
            refused = connection.push(token_of(device), HI, further=[("apns-priority", "7")])
            refused.assert_refused(400, "BadPriority")
        shown, count = {"screen": {"/body": "hi"}}, {"exactly": self.count}
        seen = self.expect(match=shown, count=count, settle="200ms", after=after)
        assert seen["met"], seen
        assert self.expect(match={"topic": "never"}, count={"max": 0}, settle="200ms")["met"]
        assert self.expect(inOrder=[{"outcome": "stored"}, {"reason": "BadPriority"}], within="5s")["met"]
        self.check_clock()
        unmet = self.expect(match={"outcome": "lost"}, within="0s")
        assert not unmet["met"] and {near["push"]["scope"] for near in unmet["nearest"]} == {self.scope}
        inbox = self.mynah.control.get(
            f"/v1/devices/{device['id']}/inbox", {"wait": "10s", "count": self.count, "kind": "alert"}
        )
        assert (inbox["matched"], inbox["timedOut"]) == (self.count, False)
        removed = self.mynah.control.ask("DELETE", f"/v1/scopes/{self.scope}").json()["removed"]
        assert removed == {"notifications": self.count + 2, "devices": 2, "faults": 0, "clock": 1}, removed
        assert self.mynah.control.get("/v1/notifications", {"scope": self.scope})["items"] == []
        return self.count

    def check_clock(self) -> None:
        """What waits expires on the scope's own clock, by an advance that reports nothing of others."""
        early = self.advance(f"{self.number * 60 + 30}m")
        assert early["expired"] == 0, early
        late = self.advance("31m")
        assert (late["expired"], late["delivered"]) == (1, 0), late
        assert self.expect(match={"outcome": "expired"}, count={"exactly": 1}, within="0s")["met"]

    def advance(self, time: str) -> dict[str, Any]:
        report: dict[str, Any] = self.mynah.control.post("/v1/clock/advance", {"by": time, "scope": self.scope})
        return report


def test_a_hundred_tests_at_once_see_nothing_of_each_other(own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    witness = add_device(mynah, scope="witness")
    with connect(mynah) as connection:
        connection.push(token_of(witness), HI).assert_accepted()
    with ThreadPoolExecutor(TESTS) as pool:
        counts = list(pool.map(lambda number: ScopedTest(mynah, number).run(), range(TESTS)))
    assert sum(counts) == sum(1 + number % 3 for number in range(TESTS))
    assert [push["scope"] for push in mynah.control.get("/v1/notifications")["items"]] == ["witness"]
    assert [scope["name"] for scope in mynah.control.get("/v1/scopes")["items"]] == ["witness"]
    assert [device["id"] for device in mynah.control.get("/v1/devices")["items"]] == [witness["id"]]
