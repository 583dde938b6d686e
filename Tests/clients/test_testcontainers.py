"""The recipes in `docker/testcontainers`, with a stand-in for Testcontainers that runs the program as a container.

`docker/testcontainers/run.sh` runs the one in Python with Testcontainers itself, where there is an image.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from documentation import files as documented_files
from documentation import page_blocks
from inner_pytest import PACKAGE, PROVIDER, run_pytest
from server import REPOSITORY, Mynah, clean_environment
from waiting import RUN_SECONDS

RECIPES = REPOSITORY / "docker" / "testcontainers"

# As far as the recipe uses it: a container is the program on free ports, in a folder of its own.
CONTAINER = """
import tempfile
from pathlib import Path
from mynah import StartedServer
from mynah.control import ControlAPI


class DockerContainer:
    def __init__(self, image):
        self.image, self.ports, self.variables, self.strategy = image, (), {}, None

    def with_exposed_ports(self, *ports):
        self.ports = ports

    def with_env(self, name, value):
        self.variables[name] = value
        return self

    def waiting_for(self, strategy):
        self.strategy = strategy

    def __enter__(self):
        self.running = StartedServer(Path(tempfile.mkdtemp(prefix="mynah-")), variables=self.variables)
        port, path, status, seconds = self.strategy.told
        assert port in self.ports and seconds > 0
        assert self.running.control.ask("GET", path).status == status
        return self

    def __exit__(self, *error):
        self.running.close()

    def get_container_host_ip(self):
        return "localhost"

    def get_exposed_port(self, port):
        assert port in self.ports
        return {2197: self.running.port, 8197: self.running.control.port}[port]
"""
STRATEGIES = """
class HttpWaitStrategy:
    def __init__(self, port, path):
        self.told = (port, path)

    def for_status_code(self, code):
        self.told += (code,)
        return self

    def with_startup_timeout(self, seconds):
        self.told += (seconds,)
        return self
"""
NODE_CONTAINER = """
export const Wait = {
  forHttp: (path, port) => ({ path, port, forStatusCode(status) { return { ...this, status }; } }),
};
export class GenericContainer {
  constructor(image) { this.told = { image }; }
  withExposedPorts(...ports) { this.told.ports = ports; return this; }
  withEnvironment(environment) { this.told.environment = environment; return this; }
  withWaitStrategy(wait) { this.told.wait = wait; return this; }
  withStartupTimeout(milliseconds) { this.told.milliseconds = milliseconds; return this; }
  async start() {
    console.error(JSON.stringify(this.told));
    return {
      getHost: () => "localhost",
      getMappedPort: (port) => Number(process.env[`PORT_${port}`]),
      stop: async () => console.error("stopped"),
    };
  }
}
"""
NODE_TEST = """
import { startMynah } from "./mynah.mjs";
const { server, stop } = await startMynah("mynah", { MYNAH_SEED: "42" });
const mynah = server.scope("a");
const device = await mynah.device("com.example.app");
const { met } = await mynah.check({ within: "0s", device: device.id });
const removed = await mynah.remove();
const { host, port, ca, signingKey, keyId, teamId } = server;
console.log(JSON.stringify({ host, port, ca, key: signingKey, keyId, teamId, met, removed: removed.devices }));
await stop();
"""


def test_python_by_the_documented_example(tmp_path: Path) -> None:
    stand_in = tmp_path / "testcontainers" / "core"
    stand_in.mkdir(parents=True)
    # Without these, the real one would be found first, wherever it is.
    for folder in (stand_in.parent, stand_in):
        (folder / "__init__.py").touch()
    (stand_in / "container.py").write_text(CONTAINER)
    (stand_in / "wait_strategies.py").write_text(STRATEGIES)
    test = """
from provider import Provider

def test_push(mynah):
    provider = Provider(mynah.host, mynah.port, mynah.ca_file, mynah.key_file, mynah.key_id, mynah.team_id)
    phone = mynah.device("com.example.app")
    assert provider.send(phone.token, "hi").status_code == 200
    assert phone.screen().notifications[0].title == "hi"
    assert provider.send("00" * 32, "hi").json() == {"reason": "BadDeviceToken"}
"""
    files = documented_files(page_blocks("RunInContainers"), "python") | {"test_push.py": test, "provider.py": PROVIDER}
    files["mynah_container.py"] = (RECIPES / "mynah_container.py").read_text()
    assert "conftest.py" in files
    done = run_pytest(tmp_path, files, PYTHONPATH=f"{PACKAGE}:{tmp_path}")
    assert (done.code, done.counts) == (0, {"passed": 1}), done.text


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node(tmp_path: Path, own_mynah: Callable[..., Mynah]) -> None:
    mynah = own_mynah()
    package = tmp_path / "node_modules" / "testcontainers"
    package.mkdir(parents=True)
    (package / "package.json").write_text('{"name": "testcontainers", "type": "module", "main": "index.js"}')
    (package / "index.js").write_text(NODE_CONTAINER)
    (package.parent / "mynah").symlink_to(REPOSITORY / "Sources" / "node")
    (tmp_path / "mynah.mjs").write_text((RECIPES / "mynah.mjs").read_text())
    (tmp_path / "test.mjs").write_text(NODE_TEST)
    ports = {"PORT_2197": str(mynah.port), "PORT_8197": str(mynah.control_port)}
    done = subprocess.run(
        ["node", "test.mjs"],
        cwd=tmp_path,
        env=clean_environment(**ports),
        capture_output=True,
        text=True,
        timeout=RUN_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done
    told, stopped = done.stderr.splitlines()
    wait = {"path": "/readyz", "port": 8197, "status": 200}
    environment = {"MYNAH_SEED": "42"}
    assert json.loads(told) == {
        "image": "mynah", "ports": [2197, 8197], "environment": environment, "wait": wait, "milliseconds": 30_000,
    }  # fmt: skip
    assert stopped == "stopped"
    found = json.loads(done.stdout)
    assert (found.pop("ca").strip(), found.pop("key").strip()) == (
        mynah.ca_file.read_text().strip(), mynah.key_file.read_text().strip(),
    )  # fmt: skip
    assert found == {
        "host": "localhost", "port": mynah.port, "keyId": mynah.key_id, "teamId": mynah.team_id, "met": False,
        "removed": 1,
    }  # fmt: skip
