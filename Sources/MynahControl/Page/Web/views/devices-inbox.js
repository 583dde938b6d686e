// What arrived on a device, and what its apps noticed.
import { el } from "../core/dom.js";
import { empty, chip } from "./parts.js";
import { count, localTime } from "./words.js";

const noticedMax = 20;

/** The newest arrivals. */
export function inboxList(arrivals, device) {
    const heading = el("h3", {}, "Inbox ", el("span", { class: "faint tabular" }, arrivals.matched.toLocaleString("en-US")));
    if (arrivals.items.length > 0) {
        const more = arrivals.matched - arrivals.items.length;
        return [heading, el("ol", { class: "v-inbox panel" }, arrivals.items.map(arrival)),
            more > 0 ? el("p", { class: "field-hint" }, `${count(more, "older one")} not shown.`) : null];
    }
    const app = device.registrations.find((one) => one.state === "active" && one.token);
    if (!device.online) return [heading, empty("Nothing has arrived", "The device is offline. Turn it online, and what is stored for it arrives here.")];
    const send = app ? `mynah send --to ${app.token} --topic ${app.topic} --alert "Hello"` : null;
    return [heading, el("div", { class: "empty v-empty" }, el("h2", {}, "Nothing has arrived yet"),
        send ? el("p", {}, "Push to its token with your provider, or with:") : el("p", {}, "Install an app first: pushes go to its token."),
        send ? el("code", { class: "code" }, send) : null)];
}

function arrival(item) {
    return el(
        "li", {},
        el("a", { href: `#/pushes/${item.sequence}`, title: `Push ${item.sequence}` },
            chip(item.kind ?? "gone", item.kind === "alert" ? "good" : "plain"),
            el("span", { class: "v-inbox-text" }, item.evicted ? "no longer in the journal" : gist(item.payload)),
            el("time", { datetime: item.deliveredAt }, localTime(item.deliveredAt))));
}

/** What a payload says, in a line. */
export function gist(payload) {
    const alert = payload?.aps?.alert;
    if (typeof alert === "string") return alert;
    if (alert && typeof alert === "object") {
        const words = [alert.title, alert.subtitle, alert.body].filter((text) => typeof text === "string" && text);
        if (words.length > 0) return words.join(" – ");
    }
    return payload === null || payload === undefined ? "no JSON" : JSON.stringify(payload);
}

/** The user's choices that apps were told of, and what woke them, the newest first. */
export function noticedList(screen) {
    const responses = (screen.responses ?? []).map((one) => ({ at: one.at, topic: one.topic, sequence: one.sequence, what: actionName(one.action), text: one.text }));
    const wakes = (screen.wakes ?? []).map((one) => ({ at: one.at, topic: one.topic, sequence: one.sequence, what: one.result ? `woken: ${one.result}` : "woken", text: null }));
    const all = [...responses, ...wakes].sort((left, right) => (left.at < right.at ? 1 : left.at > right.at ? -1 : right.sequence - left.sequence));
    if (all.length === 0) return [];
    return [
        el("h3", {}, "What apps were told ", el("span", { class: "faint tabular" }, String(all.length))),
        el("ol", { class: "v-inbox panel" }, all.slice(0, noticedMax).map((one) => el("li", {}, el("span", { class: "v-inbox-line" },
            chip(one.what, "plain"), el("span", { class: "v-inbox-text" }, one.text === null ? one.topic : `“${one.text}”`),
            one.at ? el("time", { datetime: one.at }, localTime(one.at)) : null)))),
    ];
}

function actionName(action) {
    if (action === "com.apple.UNNotificationDefaultActionIdentifier") return "opened";
    if (action === "com.apple.UNNotificationDismissActionIdentifier") return "dismissed";
    return action;
}
