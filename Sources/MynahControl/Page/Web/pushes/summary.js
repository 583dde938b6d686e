// A push in a few words, with only what a row needs.

import { isBroadcast, plural } from "../core/format.js";

const silentTitles = {
    background: "Background update", voip: "Incoming call", complication: "Complication update",
    fileprovider: "File provider update", location: "Location request", mdm: "Device management",
    liveactivity: "Live Activity", pushtotalk: "Push to Talk", widgets: "Widgets reload", controls: "Controls reload",
};

/** What is no app's, by how its topics begin. */
const otherTitles = [["pass.", "Wallet pass update"], ["com.apple.mgmt.", "Device management"]];

function textOf(value) {
    return typeof value === "string" ? value : "";
}

/** `{title, body}` of a web push, as a service worker shows it. */
function webSummary({ payload, payloadBase64, webPush }) {
    if (webPush?.problem) return { title: "Can't be decrypted", body: "", isQuiet: true };
    const shown = payload?.notification ?? payload;
    const title = textOf(shown?.title) || textOf(payload?.title);
    if (title) return { title, body: textOf(shown?.body) || textOf(payload?.body), isQuiet: false };
    // Text that is no JSON; an empty push has neither.
    if (payload === null && payloadBase64) {
        const bytes = Uint8Array.from(atob(payloadBase64), (letter) => letter.charCodeAt(0));
        return { title: new TextDecoder().decode(bytes), body: "", isQuiet: false };
    }
    return { title: "Web push", body: "", isQuiet: true };
}

/** `{title, body}` of the alert, or a name for a push without an alert, with `isQuiet`. */
export function summary(push) {
    if (push.reason === "PayloadTooLarge") return { title: "Payload too large", body: "", isQuiet: true };
    if (push.kind === "webPush") {
        return push.outcome === "refused" ? { title: "Web push", body: "", isQuiet: true } : webSummary(push);
    }
    if (push.payload === null) {
        return { title: push.payloadSize ? `Not JSON, ${plural(push.payloadSize, "byte")}` : "No payload", body: "",
            isQuiet: true };
    }
    const other = otherTitles.find(([prefix]) => push.topic?.startsWith(prefix));
    if (other) return { title: other[1], body: "", isQuiet: true };
    const alert = push.payload?.aps?.alert;
    if (typeof alert === "string" && alert) return { title: alert, body: "", isQuiet: false };
    if (alert && typeof alert === "object") {
        const title = textOf(alert.title) || textOf(alert["title-loc-key"]);
        const body = textOf(alert.body) || textOf(alert["loc-key"]) || textOf(alert.subtitle);
        if (title || body) return { title: title || body, body: title ? body : "", isQuiet: false };
    }
    const title = isBroadcast(push) ? "Broadcast" : silentTitles[push.pushType];
    const event = push.pushType === "liveactivity" ? textOf(push.payload?.aps?.event) : "";
    return { title: title ? title + (event ? `: ${event}` : "") : "No alert", body: "", isQuiet: true };
}

/** How many bytes the payload of a push may have. */
export function payloadMax({ pushType, channel }) {
    return channel !== null || pushType === "voip" ? 5120 : 4096;
}

/** A row of the feed. */
export function rowOf(push) {
    return {
        sequence: push.sequence, receivedAt: push.receivedAt, topic: push.topic, pushType: push.pushType,
        device: push.device, devices: push.devices, token: push.token, scope: push.scope, status: push.status,
        reason: push.reason, outcome: push.outcome, shown: push.shown, fault: push.fault, attempt: push.attempt,
        repeats: push.repeats, warnings: push.warnings.length, ...summary(push),
    };
}

/** The outcome as one word, and how it is coloured. */
export function outcomeOf(row) {
    switch (row.outcome) {
        case "delivered": return row.shown ? ["shown", "good"] : ["delivered", "good"];
        case "refused": return [row.reason ?? "refused", "bad"];
        case "stored": case "deferred": return [row.outcome, "info"];
        case "pending": return ["pending", "warn"];
        case "unanswered": case "lost": return [row.outcome, "bad"];
        default: return [row.outcome, ""];
    }
}

/** How a status is coloured. */
export function statusKind(status) {
    if (status === null) return "warn";
    return status === 200 || status === 201 ? "good" : "bad";
}
