"""A hundred tests that share one server, each in its scope (`ControlAPI#Scopes`)."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from devices import TOPIC, add_device, token_of, unique_id
from h2client import connect
from server import Mynah
from waiting import HANG, LONGEST_WAIT

TESTS = 100
HI = b'{"aps":{"alert":"hi"}}'


class ScopedTest:
    """What one of the hundred does, from its devices to the end of its scope."""

    def __init__(self, mynah: Mynah, number: int) -> None:
        self.mynah = mynah
        self.number = number
        self.scoped = mynah.scope(unique_id("scope"))
        self.count = 1 + number % 3

    def run(self) -> int:
        device = self.scoped.device(TOPIC, locale="de")
        offline = self.scoped.device(TOPIC, online=False)
        after = self.scoped.last_sequence()
        with connect(self.mynah) as connection:
            for _ in range(self.count):
                connection.push(device.token, HI).assert_accepted()
            # Not in the future of the server's clock only, but of every other scope's with a smaller number.
            ends = str(int(time.time()) + 3600 * (self.number + 1))
            connection.push(offline.token, HI, further=[("apns-expiration", ends)]).assert_accepted()
            refused = connection.push(device.token, HI, further=[("apns-priority", "7")])
            refused.assert_refused(400, "BadPriority")
        self.scoped.expect(screen={"/body": "hi"}, exactly=self.count, settle="200ms", after=after)
        self.scoped.expect(topic="never", max=0, settle="200ms")
        self.scoped.expect(in_order=[{"outcome": "stored"}, {"reason": "BadPriority"}], within=HANG)
        self.check_clock()
        unmet = self.scoped.check(outcome="lost", within="0s")
        assert not unmet.met and {near.push.scope for near in unmet.nearest} == {self.scoped.name}
        inbox = device.inbox(wait=LONGEST_WAIT, count=self.count, kind="alert")
        assert (inbox.matched, inbox.timed_out) == (self.count, False)
        removed = self.scoped.remove()
        assert removed == {"notifications": self.count + 2, "devices": 2, "faults": 0, "clock": 1}, removed
        assert self.scoped.notifications().items == ()
        return self.count

    def check_clock(self) -> None:
        """What waits expires on the scope's own clock, by an advance that reports nothing of others."""
        early = self.scoped.clock.advance(f"{self.number * 60 + 30}m")
        assert early.expired == 0, early
        late = self.scoped.clock.advance("31m")
        assert (late.expired, late.delivered) == (1, 0), late
        self.scoped.expect(outcome="expired", exactly=1, within="0s")


@pytest.mark.measures
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
