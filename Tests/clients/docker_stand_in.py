"""A stand-in for the command `docker`, which runs the program `MYNAH_PROGRAM` where docker would run a container.

It knows the calls that the action of GitHub makes: a container that is started is a process on free ports, and its name
is the folder that is mounted as /trust. A command sees the paths that are mounted, and with `--interactive` standard input,
of which nothing is left then.
"""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import subprocess
import sys
from pathlib import Path

PROGRAM = os.environ["MYNAH_PROGRAM"]
IMAGE = "mynah-image"
# What a docker does whose folders are not those of its caller.
REMOTE_IMAGE = "remote-image"
STOP_SECONDS = 180
WITH_VALUE = ("--publish", "--volume", "--env", "--user", "--workdir", "--network")


def options(arguments: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """The options of `run` before the image, and what is behind the image."""
    found: list[tuple[str, str]] = []
    rest = list(arguments)
    while rest[0] not in (IMAGE, REMOTE_IMAGE):
        name = rest.pop(0)
        if not name.startswith("--"):
            sys.exit(f"Unable to find image '{name}'")
        found.append((name, rest.pop(0) if name in WITH_VALUE else ""))
    return found, rest


def start(given: list[tuple[str, str]], image: str, flags: list[str]) -> None:
    volumes = dict(reversed(value.split(":")) for name, value in given if name == "--volume")
    assert ("--env", "MYNAH_EXPORT_DIR=/trust") in given, given
    assert {value for name, value in given if name == "--publish"} == {"127.0.0.1::2197", "127.0.0.1::8197"}
    folder = Path(volumes["/trust"])
    if image == REMOTE_IMAGE:
        folder = folder.with_name("remote")
        folder.mkdir()
    command = [PROGRAM, "serve", "--port", "0", "--control-port", "0", "--export-dir", str(folder), *flags]
    data = {"MYNAH_DATA": str(folder / "data")} if ("--env", "MYNAH_DATA=/data") in given else {}
    with (folder / "log").open("w") as log:
        child = subprocess.Popen(
            command, cwd=folder, env=os.environ | data, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    (folder / "pid").write_text(str(child.pid))
    print(folder)


def run(given: list[tuple[str, str]], arguments: list[str]) -> None:
    workdir = dict(given)["--workdir"]
    shared = [Path(value.split(":")[0]) for name, value in given if name == "--volume"]
    assert len(set(shared)) == len(shared), shared
    assert ("--read-only", "") in given, given
    for argument in arguments:
        path = Path(os.path.normpath(os.path.join(workdir, argument.partition("=")[2] or argument)))
        existing = next(each for each in (path, *path.parents) if each.exists())
        if existing != Path("/") and not any(existing.is_relative_to(each) for each in shared):
            sys.exit(f"{path}: Read-only file system")
    os.chdir(workdir)
    text = sys.stdin.read() if ("--interactive", "") in given else ""
    sys.exit(subprocess.run([PROGRAM, *arguments], input=text, text=True, check=False).returncode)


def is_running(folder: Path) -> bool:
    try:
        stat = Path(f"/proc/{(folder / 'pid').read_text()}/stat").read_text()
    except FileNotFoundError:
        return False
    # Where nobody asks for its exit code, the process stays as a zombie.
    return stat.rpartition(")")[2].split()[0] != "Z"


def stop(folder: Path) -> None:
    """Ends the server and waits until it has ended, as docker does."""
    try:
        process = os.pidfd_open(int((folder / "pid").read_text()))
        signal.pidfd_send_signal(process, signal.SIGTERM)
    except ProcessLookupError:
        return  # A container that has ended can be removed, too.
    # The server is no child of this process: its descriptor becomes readable when it ends.
    assert select.select([process], [], [], STOP_SECONDS)[0], f"the server of {folder} did not end"


def main(command: str, *arguments: str) -> None:
    if command == "run":
        given, (image, *rest) = options(list(arguments))
        if ("--detach", "") in given:
            start(given, image, rest)
        else:
            run(given, rest)
        return
    folder = Path(next(argument for argument in arguments if argument.startswith("/")).partition(":")[0])
    if command == "inspect":
        print("true" if is_running(folder) else "false")
    elif command == "exec":
        if not is_running(folder):
            sys.exit(f"container {folder} is not running")
        rest = arguments[arguments.index("mynah") + 1 :]
        os.execv(PROGRAM, [PROGRAM, *rest, "--ready-file", str(folder / "ready.json")])
    elif command == "port":
        ready = json.loads((folder / "ready.json").read_text())
        port = {"2197/tcp": ready["port"], "8197/tcp": ready["controlPort"]}[arguments[1]]
        print(f"127.0.0.1:{port}\n[::1]:{port}")
    elif command == "logs":
        print((folder / "log").read_text(), end="")
    elif command == "cp":
        shutil.copy(f"{folder}{arguments[0].partition(':')[2]}", arguments[1])
    elif command in ("stop", "rm"):
        stop(folder)
    else:
        sys.exit(f"docker {command} is not known here")


if __name__ == "__main__":
    main(*sys.argv[1:])
