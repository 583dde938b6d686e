"""A push provider for Apple: aioapns with its built-in host names, on port 443."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from aioapns import APNs, NotificationRequest

TRUST = Path("/trust")


async def main() -> None:
    """Sends one push to the production service."""
    # The ids of the key; for Apple's service they are settings of the provider.
    ids = json.loads((TRUST / "ready.json").read_text())
    provider = APNs(
        key=(TRUST / f"AuthKey_{ids['keyId']}.p8").read_text(),
        key_id=ids["keyId"],
        team_id=ids["teamId"],
        topic="com.example.app",
        use_sandbox=False,
    )
    push = NotificationRequest(device_token="00" * 32, message={"aps": {"alert": "from aioapns"}})
    result = await asyncio.wait_for(provider.send_notification(push), timeout=10)
    print(result.status, result.description, result.notification_id)
    if not result.is_successful:
        raise SystemExit(1)


asyncio.run(main())
