"""The calls of a fault that are one request each."""

# Made from aio/fault_calls.py by generate.py: change that.

# Made by generate.py: change that, or the document.
from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .documents import changes_document, checked
from .errors import hides_frames
from .keywords import FaultChanges
from .control import ControlAPI

if TYPE_CHECKING:
    from typing_extensions import Unpack
    from .faults import Fault

__tracebackhide__ = hides_frames


class FaultCalls:
    """The calls of a fault that are one request each."""

    if TYPE_CHECKING:

        @property
        def _control(self) -> ControlAPI: ...

        @property
        def _path(self) -> str: ...

        def _now(self, document: Mapping[str, Any]) -> Fault: ...

    def refresh(self) -> Fault:
        """A new snapshot of the rule."""
        return self._now(self._control.get(self._path))

    def change(self, **changes: Unpack[FaultChanges]) -> Fault:
        """Changes members of the rule; returns the changed rule.

        `changes` are members of `PATCH /v1/faults/{id}`.
        """
        body = changes_document(checked(self.change, changes, FaultChanges))
        return self._now(self._control.patch(self._path, body))

    def remove(self) -> None:
        """Removes the rule."""
        self._control.delete(self._path)
