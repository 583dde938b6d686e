// The presets of the form for a new rule, with the names that `mynah fault add` takes.

const reason = { pointer: "/action/reason", label: "Reason" };
const delay = { pointer: "/action/delay", label: "Delay", placeholder: "2s" };
const code = { pointer: "/action/code", label: "HTTP/2 error code", placeholder: "INTERNAL_ERROR" };

const retryAfter = { pointer: "/action/answerHeaders/retry-after", label: "Retry-After of the answer", placeholder: "none" };

function respond(status, text) {
    const action = { type: "respond", status, reason: text };
    return { name: String(status), label: `${status} ${text}`, action, fields: [reason, delay, retryAfter] };
}

/** Groups of presets; `fields` are the editable parts of the rule. */
export const presetGroups = [
    ["Refuse pushes", [
        respond(400, "BadDeviceToken"), respond(403, "InvalidProviderToken"),
        { ...respond(403, "ExpiredProviderToken"), name: "ExpiredProviderToken" },
        respond(404, "BadPath"), respond(405, "MethodNotAllowed"),
        {
            ...respond(410, "Unregistered"),
            fields: [reason, { pointer: "/action/timestamp", label: "Timestamp, ms since 1970", type: "number" },
                delay, retryAfter],
        },
        respond(413, "PayloadTooLarge"), respond(429, "TooManyRequests"),
        { ...respond(429, "TooManyProviderTokenUpdates"), name: "TooManyProviderTokenUpdates" },
        respond(500, "InternalServerError"), respond(503, "ServiceUnavailable"),
    ]],
    ["Unusual answers", [
        { name: "stall", label: "Never answer", action: { type: "stall" }, fields: [] },
        { name: "slow", label: "Answer late", action: { type: "pass", delay: "2s" }, fields: [delay] },
        { name: "lose", label: "Answer 200 without delivering", action: { type: "lose" }, fields: [] },
        {
            name: "late", label: "Answer 200, deliver later", action: { type: "deliverLate", by: "1m" },
            fields: [{ pointer: "/action/by", label: "Delay", placeholder: "1m" }],
        },
        {
            name: "duplicate", label: "Deliver twice", action: { type: "duplicate", times: 2 },
            fields: [{ pointer: "/action/times", label: "Copies", type: "number" }],
        },
    ]],
    ["Break streams", [
        { name: "reset", label: "RST_STREAM", action: { type: "resetStream", code: "INTERNAL_ERROR" }, fields: [code] },
        { name: "refuse-stream", label: "RST_STREAM REFUSED_STREAM",
            action: { type: "resetStream", code: "REFUSED_STREAM" }, fields: [delay] },
        { name: "truncate", label: "Half an answer", action: { type: "truncate" }, fields: [] },
        { name: "malformed", label: "A malformed frame", action: { type: "malformedFrame" }, fields: [] },
        { name: "oversized", label: "An oversized frame", action: { type: "oversizedFrame" }, fields: [] },
    ]],
    ["Break connections", [
        { name: "goaway", label: "GOAWAY", action: { type: "goaway", reason: "Shutdown" }, fields: [reason, code] },
        {
            name: "close", label: "TCP reset", action: { type: "close", how: "rst" },
            fields: [{ pointer: "/action/afterPushes", label: "At every nth push of a connection", type: "number" }],
        },
        { name: "hang-up", label: "Hang up without GOAWAY", action: { type: "close", how: "fin" }, fields: [] },
        { name: "half-open", label: "Half-open: stop answering", action: { type: "close", how: "halfOpen" },
            fields: [] },
        {
            name: "streams", label: "A stream limit of 1", action: { type: "settings", maxConcurrentStreams: 1 },
            fields: [{ pointer: "/action/maxConcurrentStreams", label: "Limit", type: "number" }],
        },
        { name: "no-window", label: "Stop sending WINDOW_UPDATE", action: { type: "withholdWindow" }, fields: [] },
        { name: "no-ping", label: "Stop answering PING", action: { type: "ignorePing" }, fields: [] },
        {
            name: "throttle", label: "Send slowly", action: { type: "throttle", bytesPerSecond: 1000 },
            fields: [{ pointer: "/action/bytesPerSecond", label: "Bytes per second", type: "number" }],
        },
        { name: "refuse", label: "Refuse connections", event: "accept", action: { type: "refuse" }, fields: [] },
    ]],
    ["Break handshakes", [
        {
            name: "tls-alert", label: "TLS alert", event: "handshake",
            action: { type: "tls", alert: "handshake_failure" },
            fields: [{ pointer: "/action/alert", label: "Alert", placeholder: "certificate_expired" }],
        },
        { name: "tls-expired", label: "An expired certificate", event: "handshake",
            action: { type: "tls", certificate: "expired" }, fields: [] },
        { name: "tls-wrong-host", label: "A certificate for another host", event: "handshake",
            action: { type: "tls", certificate: "wrongHost" }, fields: [] },
        { name: "tls-untrusted", label: "A certificate from an unknown CA", event: "handshake",
            action: { type: "tls", certificate: "untrusted" }, fields: [] },
        { name: "tls-stall", label: "A handshake that never ends", event: "handshake",
            action: { type: "tls", stall: true }, fields: [] },
        {
            name: "tls-slow", label: "A slow handshake", event: "handshake", action: { type: "tls", slow: "5s" },
            fields: [{ pointer: "/action/slow", label: "Duration", placeholder: "5s" }],
        },
    ]],
];

/** The preset of a name. */
export function presetNamed(name) {
    return presetGroups.flatMap(([, presets]) => presets).find((preset) => preset.name === name);
}

/** The fields of an action: those of its presets, and one for each other member with a plain value. */
export function fieldsOf(action) {
    const presets = presetGroups.flatMap(([, group]) => group).filter((one) => one.action.type === action.type);
    const status = action.type === "respond" ? [{ pointer: "/action/status", label: "Status", type: "number" }] : [];
    const fields = new Map([...status, ...presets.flatMap((one) => one.fields)].map((one) => [one.pointer, one]));
    for (const [name, value] of Object.entries(action)) {
        const pointer = `/action/${name}`;
        const isPlain = typeof value === "string" || typeof value === "number";
        if (name === "type" || fields.has(pointer) || !isPlain) continue;
        fields.set(pointer, { pointer, label: name, ...(typeof value === "number" ? { type: "number" } : {}) });
    }
    return [...fields.values()].filter(({ pointer }) => typeof valueAt({ action }, pointer) !== "object");
}

/** A copy of an object with the value at a pointer replaced, or removed if there is no value. */
export function withValue(object, pointer, value) {
    const [step, ...rest] = pointer.split("/").slice(1);
    const copy = { ...object };
    if (rest.length > 0) copy[step] = withValue(copy[step] ?? {}, `/${rest.join("/")}`, value);
    else if (value === undefined) delete copy[step];
    else copy[step] = value;
    return copy;
}

/** The value at a pointer. */
export function valueAt(object, pointer) {
    return pointer.split("/").slice(1).reduce((value, step) => value?.[step], object);
}
