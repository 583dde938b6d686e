// What arrived on a device, and what its apps noticed.
import { el } from "../core/dom.js";
import { summary } from "../pushes/summary.js";
import { firstSend } from "../pushes/web-copies.js";
import { advice, empty, chip } from "./parts.js";
import { count, localTime } from "./words.js";

const noticedMax = 20;

/** The newest arrivals. */
export function inboxList(arrivals, device) {
    const heading = el("h3", {}, "Inbox ",
        el("span", { class: "faint tabular" }, arrivals.matched.toLocaleString("en-US")));
    if (arrivals.items.length > 0) {
        const more = arrivals.matched - arrivals.items.length;
        return [heading, el("ol", { class: "v-inbox panel" }, arrivals.items.map(arrival)),
            more > 0 ? el("p", { class: "field-hint" }, `${count(more, "older item")} not shown.`) : null];
    }
    const app = device.registrations.find((one) => one.state === "active" && one.token);
    if (!device.online) {
        return [heading, empty(
            "Nothing has arrived", "The device is offline.", advice("Bring it online to receive its stored pushes here."))];
    }
    return [heading, el("div", { class: "empty v-empty" }, el("h2", {}, "Nothing has arrived yet"),
        app ? firstPush(app) : advice("Install an app first: pushes are addressed to its token."))];
}

/** How to send the first push to an app. */
function firstPush(app) {
    if (app.kind === "web") {
        const name = "A first web push";
        return [advice("Send a web push to its subscription from your server, or with:"),
            el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": name, recorded: false },
                firstSend(app))];
    }
    return [advice("Send a push to its token from your provider, or with:"),
        el("code", { class: "code", recorded: false },
            `mynah send --to ${app.token} --topic ${app.topic} --alert "Hello"`)];
}

function arrival(item) {
    return el(
        "li", {},
        el("a", { href: `#/pushes/${item.sequence}`, title: `Push ${item.sequence}` },
            chip(item.kind ?? "gone", item.kind === "alert" ? "good" : "plain"),
            el("span", { class: "v-inbox-text v-inbox-gist" },
                item.evicted ? "no longer in the journal" : gist(item)),
            el("time", { datetime: item.deliveredAt }, localTime(item.deliveredAt))));
}

/** A push in one line, as in the list of pushes. */
function gist(item) {
    // The topic of a web push is its web app's origin.
    const kind = item.topic?.startsWith("https:") ? "webPush" : item.kind;
    const { title, body } = summary({ ...item, kind, payloadSize: atob(item.payloadBase64 ?? "").length });
    return [el("strong", { class: "truncate", dir: "auto" }, title), " ",
        el("span", { class: "truncate", dir: "auto" }, body)];
}

/** What apps were told about the user's choices, and what woke them, newest first. */
export function noticedList(screen) {
    const responses = screen.responses.map((one) => ({ ...one, what: actionName(one.action) }));
    const wakes = screen.wakes.map((one) => ({ ...one, what: one.result ? `woken: ${one.result}` : "woken" }));
    const newerFirst = (left, right) => right.at.localeCompare(left.at) || right.sequence - left.sequence;
    const all = [...responses, ...wakes].sort(newerFirst);
    if (all.length === 0) return [];
    return [
        el("h3", {}, "Actions reported to apps ", el("span", { class: "faint tabular" }, String(all.length))),
        el("ol", { class: "v-inbox panel" }, all.slice(0, noticedMax).map(noticed)),
    ];
}

function noticed(one) {
    return el("li", {}, el("span", { class: "v-inbox-line" },
        chip(one.what),
        el("span", { class: "v-inbox-text" }, typeof one.text === "string" ? `“${one.text}”` : one.topic),
        el("time", { datetime: one.at }, localTime(one.at))));
}

function actionName(action) {
    if (action === "com.apple.UNNotificationDefaultActionIdentifier") return "opened";
    if (action === "com.apple.UNNotificationDismissActionIdentifier") return "dismissed";
    return action;
}
