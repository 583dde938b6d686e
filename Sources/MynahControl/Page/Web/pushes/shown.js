// What the device showed of a push.

import { el, fill } from "../core/dom.js";
import { deviceCount, isBroadcast, time } from "../core/format.js";
import { appIcon } from "../views/parts.js";
import { bundleOf, stateTable } from "../views/screen-activity.js";
import { appName } from "../views/words.js";

const levels = { passive: "passive", "time-sensitive": "time sensitive", critical: "critical" };

/** A notification on the screen, from an item of `GET …/screen` and its app. */
function card(item, registration) {
    const marks = [
        levels[item.interruptionLevel], item.sound?.name && `sound ${item.sound.name}`,
        item.threadId && `thread ${item.threadId}`, item.category && `category ${item.category}`,
        item.mutableContent === "modified" && "modified by the service extension",
        item.mutableContent === "timedOut" && "the service extension timed out",
        item.updatedAt && "updated in place",
    ].filter(Boolean);
    return el("div", { class: "banner" }, appIcon(item.topic, registration),
        el("div", { class: "banner-text" },
            el("p", { class: "spread banner-top" },
                el("span", { class: "truncate", dir: "auto" }, item.sender ?? appName(item.topic, registration)),
                el("span", { class: "tabular nowrap" }, item.shownAt ? time(item.shownAt).slice(0, 5) : "")),
            item.title && el("p", { class: "banner-title", dir: "auto" }, item.title),
            item.subtitle && el("p", { class: "banner-title", dir: "auto" }, item.subtitle),
            item.body && el("p", { class: "banner-body", dir: "auto" }, item.body),
            item.actions?.length > 0 && el("p", { class: "row banner-actions" },
                item.actions.map((action) => el("span", { class: "chip" }, action.title))),
            marks.length > 0 && el("p", { class: "banner-marks" }, marks.join(" · "))));
}

/** A Live Activity as an update of its history left it. */
function activityCard(activity, update) {
    return el("div", { class: "banner" }, appIcon(bundleOf(activity)),
        el("div", { class: "banner-text" },
            el("p", { class: "spread banner-top" }, el("span", {}, `Live Activity ${activity.id}`),
                el("span", { class: "tabular nowrap" }, time(update.at).slice(0, 5))),
            el("p", { class: "banner-title", dir: "auto" }, activity.attributesType ?? ""),
            stateTable(update.contentState),
            el("p", { class: "banner-marks" }, `${update.event}, now ${activity.state}`)));
}

/** Fills `body` with what a push made of a Live Activity. */
async function showActivity(push, path, app, body) {
    const { items } = await app.api.get(`${path}/activities`);
    for (const activity of items) {
        const update = activity.history.findLast((one) => one.sequence === push.sequence);
        if (update) return fill(body, activityCard(activity, update));
    }
    return fill(body, el("p", { class: "muted" }, "Applied to a Live Activity that the device no longer has."));
}

/** Fills `body` with the notification that a push shows, if it is still on the screen. */
async function showNotification(push, path, app, body) {
    const [screen, device] = await Promise.all([app.api.get(`${path}/screen`), app.api.get(path)]);
    const item = screen.notifications.find((one) => one.sequence === push.sequence);
    if (item) fill(body, card(item, device.registrations.find((one) => one.token === push.token)));
    else fill(body, el("p", { class: "muted" }, "Shown to the user; no longer on the screen."));
}

/** Why the device shows nothing. */
function reasonOf(push) {
    switch (push.outcome) {
        case "refused": return "Refused, so no device received it.";
        case "pending": return "Not answered yet.";
        case "stored": return isBroadcast(push) ? "Kept by its channel for devices that come online or follow it later."
            : "The device is offline; the push is delivered when it is back online.";
        case "deferred": return isBroadcast(push) ? "Held back by a fault."
            : "Deferred by the device's power state or a budget.";
        case "expired": return "Expired before a device could receive it.";
        case "coalesced": return isBroadcast(push) ? "Replaced by a newer broadcast to its channel."
            : "Replaced by a newer push with the same collapse ID.";
        case "discarded": {
            const { detail } = push.timeline?.findLast((step) => step.event === "discarded") ?? {};
            return detail ? `Discarded: ${detail}.` : "Discarded.";
        }
        case "lost": return "Accepted, then dropped by a fault.";
        case "unanswered": return "Not answered, and not delivered.";
        default: return isBroadcast(push)
            ? `Updated the Live Activities that follow its channel, on ${deviceCount(push.devices)}.`
            : push.sounded ? "Delivered to the app, with a sound and nothing shown to the user."
                : "Delivered to the app, without anything shown to the user.";
    }
}

/** The section that shows the push as the user saw it; it loads itself. */
export function screenCard(push, app, section) {
    const body = el("div", { class: "panel-body" }, el("p", { class: "muted" }, reasonOf(push)));
    const place = push.device && el("a", { class: "small", href: `#/devices/${encodeURIComponent(push.device)}` },
        "Open the device");
    const result = section(isBroadcast(push) ? "On the devices" : "On the device", place, body);
    if (!push.shown || !push.device) return result;
    fill(body, el("p", { class: "muted" }, "Shown to the user."));
    const show = push.pushType === "liveactivity" ? showActivity : showNotification;
    show(push, `/v1/devices/${encodeURIComponent(push.device)}`, app, body).catch((error) => {
        fill(body, el("p", { class: "muted" }, `Shown to the user. ${error.message}`));
    });
    return result;
}
