// Copies of a push: as a curl command, an expectation, a fixture.

import { memberText } from "../core/json.js";
import { isBroadcast, shellWord } from "../core/format.js";

/** Headers that a client adds itself, or that are valid only on their connection. */
const ownHeaders = new Set(["authorization", "content-length", "host", "user-agent", "accept", "accept-encoding"]);

/** A scalar in YAML; JSON strings are YAML strings. */
const yaml = (value) => JSON.stringify(value);

/** The host name of the APNs ports, seen from the browser. */
export function apnsHost() {
    const host = location.hostname;
    return host === "127.0.0.1" || host === "[::1]" ? "localhost" : host;
}

/** What commands need to find this server: nothing on the port that they know. */
export function urlFlag() { return location.port === "8197" ? "" : ` --url ${location.origin}`; }

/** The port that a server has without settings. */
const usualPort = 2197;

/** A curl command; `port` is that of the server, and undefined for a recorded run, which has none. */
export function curl(push, payloadText, port) {
    const lines = [`curl --http2 --cacert ca.pem -i`, `  -H "authorization: bearer $(mynah token${urlFlag()})"`];
    for (const [name, value] of push.headers) {
        if (!ownHeaders.has(name)) lines.push(`  -H ${shellWord(`${name}: ${value}`)}`);
    }
    if (payloadText !== null) lines.push(`  --data-binary ${shellWord(payloadText)}`);
    const path = push.path ?? `/3/device/${push.token ?? ""}`;
    lines.push(`  ${shellWord(`https://${apnsHost()}:${port ?? usualPort}${path}`)}`);
    const authority = port === undefined ? "ca.pem is the CA of the server" : `curl -O ${location.origin}/ca.pem gets the CA`;
    return `# ${authority}\n${lines.join(" \\\n")}\n`;
}

/** The members of an object that are texts, by JSON pointer. */
function textsOf(object, pointer) {
    const members = typeof object === "object" ? Object.entries(object ?? {}) : [];
    const texts = members.filter(([, value]) => typeof value === "string");
    return Object.fromEntries(
        texts.map(([name, value]) => [`${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, value]));
}

/** The texts of the alert by JSON pointer; of a web push those of its notification, where most have them. */
function alertTexts(push) {
    if (push.kind === "webPush") {
        const { notification } = push.payload ?? {};
        return notification ? textsOf(notification, "/notification") : textsOf(push.payload, "");
    }
    const alert = push.payload?.aps?.alert;
    return typeof alert === "string" ? { "/aps/alert": alert } : textsOf(alert, "/aps/alert");
}

/** Filters that match this push and others of its kind. */
function likeness(push) {
    const { topic, device, channel, pushType, collapseId, status, reason } = push;
    const all = { topic, device, channel, pushType, collapseId, status, reason };
    return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** A body for `POST /v1/expectations`; as JSON it is YAML, too. */
export function expectation(push) {
    const payload = alertTexts(push);
    const match = { ...likeness(push), ...(Object.keys(payload).length ? { payload } : {}) };
    const scope = push.scope ? { scope: push.scope } : {};
    return `${JSON.stringify({ match, count: { exactly: 1 }, within: "5s", ...scope }, null, 2)}\n`;
}

/** The same as a command for a shell. */
export function expectCommand(push) {
    const flags = Object.entries(likeness(push)).map(([name, value]) => (
        `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} ${shellWord(String(value))}`));
    for (const [pointer, value] of Object.entries(alertTexts(push))) {
        flags.push(`--payload ${shellWord(`${pointer}=${value}`)}`);
    }
    return `mynah expect --exactly 1 --within 5s \\\n  ${flags.join(" \\\n  ")}\n`;
}

/** The key with which the web app of a web push subscribed; null where it isn't known. */
export function subscribedKey(push, registration) {
    if (registration) return registration.applicationServerKey;
    // A request that was refused may have had any key.
    return push.topic === null || push.outcome === "refused" ? null : push.webPush.applicationServerKey;
}

/** A file for `--fixtures` with the push's device, or a broadcast's channel; `registration` is a web push's web app. */
export function fixture(push, registration) {
    if (isBroadcast(push)) {
        return ["# mynah serve --fixtures FILE", "channels:", `  - id: ${yaml(push.channel ?? "")}`,
            `    bundleId: ${yaml(push.topic ?? "")}`, `    environment: ${push.environment}`, ""].join("\n");
    }
    const isNamed = push.device && push.device !== push.token;
    const lines = [
        "# mynah serve --fixtures FILE", "devices:", `  - id: ${yaml(isNamed ? push.device : "device-1")}`,
    ];
    const isWeb = push.kind === "webPush";
    // A web app has no environment.
    if (!isWeb) lines.push(`    environment: ${push.environment}`);
    if (push.scope) lines.push(`    scope: ${yaml(push.scope)}`);
    lines.push("    registrations:", `      - topic: ${yaml(push.topic ?? "com.example.app")}`);
    if (push.token) lines.push(`        token: ${push.token}`);
    if (isWeb) {
        lines.push("        kind: web", `        applicationServerKey: ${yaml(subscribedKey(push, registration))}`);
        if (registration) lines.push(`        worker: ${registration.worker}`);
    }
    return `${lines.join("\n")}\n`;
}

/** The payload's own text from the text of a push, or null if it is not JSON. */
export function payloadText(text, push) {
    return push.payload === null && push.payloadBase64 !== undefined ? null : memberText(text, "payload");
}

/** The bytes of a body that is not JSON: as text if it is UTF-8, else in hexadecimal. */
export function rawBody(base64) {
    const octets = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    try {
        return new TextDecoder("utf-8", { fatal: true }).decode(octets);
    } catch {
        return [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join(" ");
    }
}
