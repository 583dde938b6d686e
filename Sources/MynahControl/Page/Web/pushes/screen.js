// What the device showed of a push.

import { el, fill } from "../core/dom.js";
import { time } from "../core/format.js";

const levels = { passive: "passive", "time-sensitive": "time sensitive", critical: "critical" };

/** A notification as it lies on the screen; `texts` is an item of `GET …/screen`. */
function card(item) {
    const marks = [
        levels[item.interruptionLevel], item.sound?.name && `sound ${item.sound.name}`,
        item.threadId && `thread ${item.threadId}`, item.category && `category ${item.category}`,
        item.mutableContent === "modified" && "changed by the service extension",
        item.mutableContent === "timedOut" && "the service extension ran out of time",
        item.updatedAt && "updated in place",
    ].filter(Boolean);
    const app = item.topic ?? "";
    return el("div", { class: "banner" },
        el("span", { class: "banner-icon", "aria-hidden": "true" }, (app.split(".").at(-1)?.[0] ?? "?").toUpperCase()),
        el("div", { class: "banner-text" },
            el("p", { class: "spread banner-top" }, el("span", { class: "truncate" }, app),
                el("span", { class: "tabular nowrap" }, item.shownAt ? time(item.shownAt).slice(0, 5) : "")),
            item.title && el("p", { class: "banner-title", dir: "auto" }, item.title),
            item.subtitle && el("p", { class: "banner-title", dir: "auto" }, item.subtitle),
            item.body && el("p", { class: "banner-body", dir: "auto" }, item.body),
            item.actions?.length > 0 && el("p", { class: "row banner-actions" },
                item.actions.map((action) => el("span", { class: "chip" }, action.title))),
            marks.length > 0 && el("p", { class: "banner-marks" }, marks.join(" · "))));
}

/** Why nothing is to be seen. */
function reasonOf(push) {
    switch (push.outcome) {
        case "refused": return "Refused, so no device got it.";
        case "pending": return "Not answered yet.";
        case "stored": return "The device is offline; it gets it when it is back.";
        case "deferred": return "Held back on the device for now.";
        case "expired": return "Expired before the device could get it.";
        case "coalesced": return "A newer push with its collapse id took its place.";
        case "discarded": return "A newer push took its place, or the app was force-quit.";
        case "lost": return "A fault accepted it and dropped it.";
        case "unanswered": return "No answer left, and no device was given it.";
        default: return "Delivered to the app; nothing for the user to see.";
    }
}

/** The part of a push's page that shows it as the user saw it; it fills itself. */
export function screenCard(push, app, section) {
    const body = el("div", { class: "panel-body" }, el("p", { class: "muted" }, reasonOf(push)));
    const place = push.device && el("a", { class: "small", href: `#/devices/${encodeURIComponent(push.device)}` },
        "Open the device");
    const result = section("On the device", place, body);
    if (!push.shown || !push.device) return result;
    fill(body, el("p", { class: "muted" }, "Shown to the user."));
    app.api.get(`/v1/devices/${encodeURIComponent(push.device)}/screen`).then((screen) => {
        const item = screen.notifications.find((one) => one.sequence === push.sequence);
        if (item) fill(body, card(item));
        else fill(body, el("p", { class: "muted" }, "Shown to the user, and no longer on the screen."));
    }).catch((error) => {
        fill(body, el("p", { class: "muted" }, `Shown to the user. ${error.message}`));
    });
    return result;
}
