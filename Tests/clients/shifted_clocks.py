"""Servers whose clock is set while they run."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

SOURCE = Path(__file__).parent / "shifted_clock.c"

# Shifts the clock of the servers that have the environment which it returns, by seconds.
SetClock = Callable[[int], dict[str, str]]


@pytest.fixture
def set_clock(tmp_path: Path) -> SetClock:
    if shutil.which("cc") is None:
        pytest.skip("a C compiler is missing")
    library, shift = tmp_path / "clock.so", tmp_path / "shift"
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", f'-DSHIFT_FILE="{shift}"', "-o", library, SOURCE], check=True
    )  # fmt: skip

    def shifted(seconds: int) -> dict[str, str]:
        new = shift.with_suffix(".new")
        new.write_text(str(seconds))
        new.replace(shift)
        return {"LD_PRELOAD": str(library)}

    return shifted
