/** Finds a running server, or starts one. */
"use strict";
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { ControlAPI } = require("./control.js");
const { checked } = require("./documents.js");
const { MynahError, StartError, UnavailableError } = require("./errors.js");
const { MynahServer } = require("./server.js");
const { settings: flagNames, switches, version } = require("./words.js");

// A machine may stand still for a minute; a process that ends is known at once.
const READY_MILLISECONDS = 120_000;
const STOP_MILLISECONDS = 120_000;
const PORT_MAX = 65_535;
const SETTINGS = ["binary", "folder", "variables", ...Object.keys(flagNames)];
/** Tells where the server is, and stays until this process ends or closes its end of the pipe. */
const COMMAND = ["sh", "-c", 'echo "mynah ready $MYNAH_URL $MYNAH_APNS_HOST $MYNAH_APNS_PORT"; exec cat'];

/**
 * A server that was started elsewhere: by `mynah exec`, in a container, by hand.
 *
 * `host` and `port` are for pushes, if they differ from the URL's host and the port that the server binds, as a
 * container's published port does.
 */
async function connect(url, options) {
  const { token, host, port } = checked("connect", options, ["token", "host", "port"]);
  return new MynahServer(await placeAt(new ControlAPI(url, { token }), { host, port }));
}

/**
 * The server at `MYNAH_URL`, which `mynah exec` sets.
 *
 * Also reads `MYNAH_CONTROL_TOKEN`, `MYNAH_APNS_HOST` and `MYNAH_APNS_PORT`.
 */
async function connectFromEnvironment(variables = process.env) {
  // Docker leaves the CR of a file of variables with Windows' line ends.
  const value = (name) => variables[name]?.trim() || undefined;
  const url = value("MYNAH_URL");
  if (url === undefined) {
    throw new MynahError("MYNAH_URL is not set: expected the URL of a control API, as `mynah exec` sets it");
  }
  let port = value("MYNAH_APNS_PORT");
  if (port?.includes("://")) {
    process.emitWarning(`ignored MYNAH_APNS_PORT=${port}, which Kubernetes or a container link set for a service`);
    port = undefined;
  }
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) > 0 && Number(port) <= PORT_MAX)) {
    throw new MynahError(`invalid MYNAH_APNS_PORT=${port}: expected a port from 1 to ${PORT_MAX}`);
  }
  const options = { token: value("MYNAH_CONTROL_TOKEN"), host: value("MYNAH_APNS_HOST"), port: port && Number(port) };
  return connect(url, options);
}

/**
 * Starts a server on free ports: with `settings` like `{ devices: "strict" }`, the flags of `mynah serve`.
 *
 * `binary` is the program, by default `MYNAH_BINARY` or `mynah` on the `PATH`; `folder` is where the server keeps its
 * keys, by default one that is removed at the end; of the variables `MYNAH_…` it gets only those in `variables`. The
 * server ends with this process, if it isn't closed before.
 */
async function startServer(settings) {
  const { binary, folder: given, variables, ...flags } = checked("startServer", settings, SETTINGS);
  const program = binary ?? findBinary();
  const folder = given === undefined ? temporaryFolder() : path.resolve(given);
  fs.mkdirSync(folder, { recursive: true });
  const args = ["exec", "--state-dir", path.join(folder, "state"), ...flagsOf(flags), "--", ...COMMAND];
  const child = new Child(program, args, {
    cwd: folder,
    // So that it doesn't read the user's mynah.yaml.
    env: { ...cleanEnvironment(), HOME: folder, XDG_RUNTIME_DIR: folder, ...variables },
  });
  try {
    const [url, host, port] = await child.ready();
    const token = flags.controlToken ?? variables?.MYNAH_CONTROL_TOKEN;
    const place = await placeAt(new ControlAPI(url, { token }), { host, port: Number(port) });
    place.logLines = child.errors;
    place.close = () => {
      place.isStopped = true;
      return child.stop();
    };
    if (given === undefined) child.removes(folder);
    child.release();
    return new MynahServer(place);
  } catch (error) {
    child.kill();
    throw error;
  }
}

/** The program: `MYNAH_BINARY`, or `mynah` on the `PATH`. */
function findBinary() {
  const chosen = process.env.MYNAH_BINARY;
  if (chosen) {
    if (isProgram(chosen)) return path.resolve(chosen);
    throw new StartError(`MYNAH_BINARY=${chosen} is not executable: expected the program mynah`);
  }
  const folders = (process.env.PATH ?? "").split(path.delimiter).filter((folder) => folder !== "");
  const program = folders.map((folder) => path.join(folder, "mynah")).find(isProgram);
  if (program !== undefined) return path.resolve(program);
  throw new StartError("mynah is not on the PATH: set MYNAH_BINARY to the program, or MYNAH_URL to a running server");
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Settings as flags of the program. */
function flagsOf(settings) {
  return Object.entries(settings).flatMap(([name, value]) => {
    const flag = `--${flagNames[name]}`;
    if (value === undefined) return [];
    if (switches.includes(name)) return value ? [flag] : [];
    return [value].flat().flatMap((one) => [flag, typeof one === "boolean" ? (one ? "on" : "off") : String(one)]);
  });
}

function cleanEnvironment() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("MYNAH_")));
}

function temporaryFolder() {
  return fs.mkdtempSync(path.join(os.tmpdir(), "mynah-node-"));
}

/** What a server says of itself. */
async function placeAt(control, { host, port }) {
  const status = await control.get("/v1/status");
  if (status?.name !== "mynah") throw new UnavailableError(`the server at ${control.url} is not Mynah`);
  if (release(status.version) !== release(version)) {
    const hint = `install version ${status.version} of the package, or start mynah ${version}`;
    const found = `the server at ${control.url} is mynah ${status.version}`;
    throw new UnavailableError(`${found}: expected ${version}, as this package; ${hint}`);
  }
  const { ca, key, keyId, teamId } = await control.get("/v1/credentials");
  let folder;
  return {
    control, ca, key, keyId, teamId,
    host: host ?? control.host,
    port: port ?? status.ports.apns[0],
    logLines: [],
    close: async () => {},
    isStopped: false,
    files() {
      if (folder === undefined) {
        folder = temporaryFolder();
        process.once("exit", () => fs.rmSync(folder, { recursive: true, force: true }));
        fs.writeFileSync(path.join(folder, "ca.pem"), ca);
        if (key !== null) fs.writeFileSync(path.join(folder, `AuthKey_${keyId}.p8`), key, { mode: 0o600 });
      }
      return { ca: path.join(folder, "ca.pem"), key: path.join(folder, `AuthKey_${keyId}.p8`) };
    },
  };
}

/** The part of a version within which the API stays the same. */
function release(version) {
  return String(version).split(".").slice(0, 2).join(".");
}

/** A `mynah exec` whose command waits for the end of its input. */
class Child {
  errors = [];
  #process;
  #arguments;
  #ended;
  #folder;
  #failure;

  constructor(program, args, options) {
    this.#arguments = args;
    this.#process = spawn(program, args, { ...options, stdio: "pipe" });
    // Of a command that has ended already.
    this.#process.stdin.on("error", () => {});
    this.#process.stderr.setEncoding("utf8");
    let rest = "";
    this.#process.stderr.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop();
      this.errors.push(...lines);
    });
    this.#ended = new Promise((resolve) => {
      this.#process.once("error", (error) => {
        this.#failure = new StartError(`${program} cannot be run: ${error.message}`);
        resolve(null);
      });
      this.#process.once("close", (code, signal) => resolve(signal ?? code));
    });
  }

  /** What its first line says behind `mynah ready`. */
  async ready() {
    let text = "";
    const line = new Promise((resolve) => {
      this.#process.stdout.setEncoding("utf8");
      this.#process.stdout.on("data", (part) => {
        text += part;
        if (text.includes("\n")) resolve(text.split("\n")[0]);
      });
    });
    const found = await within(READY_MILLISECONDS, Promise.race([line, this.#ended]));
    if (typeof found === "string" && found.startsWith("mynah ready ")) return found.split(" ").slice(2);
    if (this.#failure !== undefined) throw this.#failure;
    const late = `did not say that it is ready within ${READY_MILLISECONDS / 1000} s`;
    const why = found === LATE ? late : `ended with ${found}`;
    throw new StartError(`mynah ${why}\n${this.#log()}`);
  }

  /** Lets this process end without it. */
  release() {
    this.#process.unref();
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr]) stream.unref();
  }

  /** Removes a folder when it has ended. */
  removes(folder) {
    this.#folder = folder;
    process.once("exit", () => this.#removeFolder());
  }

  /** Ends it; an error if it has ended already, or ends with another code than 0. */
  async stop() {
    this.#process.ref();
    this.#process.stdin.end();
    const ended = await within(STOP_MILLISECONDS, this.#ended);
    if (ended === LATE) this.kill();
    this.#removeFolder();
    if (ended === 0) return;
    const why = ended === LATE ? `did not end within ${STOP_MILLISECONDS / 1000} s` : `ended with ${ended}`;
    throw new MynahError(`mynah ${why}\n${this.#log()}`);
  }

  kill() {
    this.#process.kill("SIGKILL");
  }

  #removeFolder() {
    if (this.#folder !== undefined) fs.rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = undefined;
  }

  #log() {
    return [`--- mynah ${this.#arguments.join(" ")}`, ...this.errors, "---"].join("\n");
  }
}

const LATE = Symbol("late");

/** The value of a promise, or `LATE`. */
async function within(milliseconds, promise) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds, LATE);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

module.exports = { connect, connectFromEnvironment, startServer };
