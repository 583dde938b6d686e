"""Runs coroutines from tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from waiting import RUN_SECONDS


def result_of(work: Coroutine[Any, Any, Any], seconds: float = RUN_SECONDS) -> Any:
    """What a coroutine answers, on an event loop of its own.

    In a thread of its own, too: the browser of other tests keeps a loop running in the main thread, and a thread has
    one at most.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(lambda: asyncio.run(asyncio.wait_for(work, seconds))).result()
