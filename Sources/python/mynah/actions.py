"""What faults do: actions by their presets, reasons and statuses."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, Union

from . import presets, schemas
from .documents import plain
from .errors import ArgumentError, hides_frames

__tracebackhide__ = hides_frames

# A status to answer with its usual reason, a preset or a reason by its name, or the API's object.
Action = Union[int, "presets.Preset", "presets.Reason", "schemas.FaultAction"]


def action_document(action: Action) -> dict[str, Any]:
    """An action in the API's form."""
    if isinstance(action, int):
        return {"type": "respond", "status": action}
    if not isinstance(action, str):
        document: dict[str, Any] = plain(action)
        return document
    if action in presets.PRESETS:
        return dict(presets.PRESETS[action])
    if action in presets.REASONS:
        return {"type": "respond", "reason": action}
    words = [*presets.PRESETS, *presets.REASONS]
    nearest = difflib.get_close_matches(action, words, 1)
    known = f"expected {', '.join(presets.PRESETS)}, a reason of APNs, or the API's object"
    hint = f"did you mean {nearest[0]!r}?" if nearest else known
    raise ArgumentError(f"unknown preset or reason {action!r}: {hint}")


def actions_document(action: Union[Action, Sequence[Action]], options: Mapping[str, Any]) -> dict[str, Any]:
    """One action with options of its own, or several in sequence, as members of a rule."""
    if isinstance(action, (int, str)):
        document = action_document(action)
        # The body and the debug data are in its place.
        if "body" in options or "debug" in options:
            document.pop("reason", None)
        return {"action": {**document, **options}}
    if options:
        names = ", ".join(options)
        raise ArgumentError(f"{names}: expected as a member of the action's object, or with one preset or status alone")
    if isinstance(action, Mapping):
        return {"action": action_document(action)}
    return {"actions": [action_document(one) for one in action]}
