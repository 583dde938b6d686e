"""Mynah in a container for tests in Python: testcontainers, and the package in `Sources/python` of this repository."""

from __future__ import annotations

from pathlib import Path

from mynah import RunningServer
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import HttpWaitStrategy

APNS_PORT, CONTROL_PORT = 2197, 8197
READY_SECONDS = 30


class MynahContainer(DockerContainer):
    """A server on free ports of the host.

    Flags of `mynah serve` go by `with_command("--devices strict")` or as `MYNAH_…` by `with_env`.
    """

    def __init__(self, image: str = "mynah") -> None:
        super().__init__(image)
        self.with_exposed_ports(APNS_PORT, CONTROL_PORT)
        # 503 until the fixtures are loaded.
        ready = HttpWaitStrategy(CONTROL_PORT, "/readyz").for_status_code(200)
        self.waiting_for(ready.with_startup_timeout(READY_SECONDS))

    def server(self, folder: Path) -> RunningServer:
        """The server; writes its CA and its key to the folder."""
        host = self.get_container_host_ip()
        url = f"http://{host}:{self.get_exposed_port(CONTROL_PORT)}"
        return RunningServer(url, folder, host=host, port=self.get_exposed_port(APNS_PORT))
