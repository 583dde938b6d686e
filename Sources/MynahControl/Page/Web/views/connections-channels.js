// The broadcast channels of providers and tests, kept up to date.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./refill.js";
import { live } from "../core/live.js";
import { button, sentence, tableHead } from "./parts.js";
import { localTime } from "./words.js";

/** How many are listed at once, the newest first. */
const listed = 100;
/** How often the list is read without an event, in milliseconds: time and removed devices change followers. */
const pace = 5000;

const policies = ["stores nothing", "stores the most recent message"];

/** A table of the channels, hidden while there are none; `stop()` ends its updates. */
export function channelSection(app) {
    const total = el("span", { class: "faint tabular" });
    const rows = el("tbody", {});
    const note = el("p", { class: "field-hint", role: "status" });
    // Where the pages begin, from the second one to the one that is shown.
    const cursors = [];
    let nextCursor = null;
    const newer = button("Newer", () => turn(() => cursors.pop()), { kind: "small", name: "Newer channels", recorded: true });
    const older = button("Older", () => turn(() => cursors.push(nextCursor)),
        { kind: "small", name: "Older channels", recorded: true });
    const place = el("span", { class: "faint tabular grow" });
    const pager = el("div", { class: "row v-pager" }, place, newer, older);
    const table = el("table", { class: "table v-table" },
        el("caption", { class: "visually-hidden" }, "Broadcast channels"),
        tableHead(["Channel", "App", "Environment", "Policy", "Followers", "Broadcasts"], null,
            ["Followers", "Broadcasts"]),
        rows);
    const panel = el("section", { class: "panel v-channels", hidden: true },
        el("div", { class: "panel-head" }, el("h2", {}, "Broadcast channels "), total),
        el("div", { class: "table-wrap" }, table), pager);

    function turn(change) {
        change();
        newer.disabled = older.disabled = true;
        watch.restart();
    }

    function show(page) {
        nextCursor = page.nextCursor;
        panel.hidden = page.items.length === 0;
        total.textContent = page.matched.toLocaleString("en-US");
        const first = cursors.length * listed + 1;
        const last = first + page.items.length - 1;
        place.textContent = `${first.toLocaleString("en-US")} to ${last.toLocaleString("en-US")}, newest first`;
        pager.hidden = cursors.length === 0 && nextCursor === null;
        newer.disabled = cursors.length === 0;
        older.disabled = nextCursor === null;
        note.textContent = "";
        reconcile(rows, page.items, (channel) => channel.id, makeRow, updateRow);
    }

    const watch = live(app, {
        every: pace,
        concerns: (event) => event.type === "channel" || event.type === "device" || Boolean(event.data?.channel),
        async refresh(signal) {
            const from = cursors.at(-1);
            const query = { order: "desc", limit: listed, ...(from === undefined ? {} : { cursor: from }) };
            const page = await app.api.get("/v1/channels", { query, signal });
            if (page.items.length > 0 || cursors.length === 0) {
                show(page);
            } else {
                // The channels of this page are gone.
                turn(() => cursors.splice(0));
            }
        },
        failed: (error) => (note.textContent = sentence(error)),
    });
    return { elements: [panel, note], stop: watch.stop };
}

function makeRow() {
    return el("tr", {}, Array.from({ length: 6 }, () => el("td", {})));
}

function updateRow(row, channel) {
    const [id, app, environment, policy, followers, broadcasts] = row.cells;
    id.className = "v-whole";
    refill(id, el("code", {}, channel.id));
    label(app, "App", channel.bundleId);
    label(environment, "Environment", channel.environment);
    label(policy, "Policy", policies[channel.messageStoragePolicy],
        channel.storedUntil === null ? null : el("small", {}, `(one until ${localTime(channel.storedUntil)})`));
    for (const cell of [followers, broadcasts]) cell.className = "num";
    label(followers, "Followers", channel.followers.toLocaleString("en-US"));
    label(broadcasts, "Broadcasts", channel.broadcasts.toLocaleString("en-US"));
}

function label(cell, name, ...content) {
    cell.dataset.label = name;
    refill(cell, ...content);
}
