"""The page in the browser, as a file: what it is served with, and that it stays at home."""

from __future__ import annotations

import pytest

from browser import Open
from server import Mynah


def test_try(mynah: Mynah, open_page: Open) -> None:
    tab = open_page(mynah)
    tab.page.screenshot(path="/tmp/page-shot.png")
