// The connections that have closed, and the TLS handshakes that failed, the newest of each.
import { el } from "../core/dom.js";
import { live } from "../core/live.js";
import { reconcile, refill } from "./refill.js";
import { button, chip, sentence, tableHead } from "./parts.js";
import { bytes, localTime, span } from "./words.js";

/** How many rows are shown at first. */
const shownFirst = 10;
/** Both lists come with events; this interval in milliseconds is for a tab that has missed some. */
const pace = 30_000;

const tables = [
    {
        title: "Closed connections", path: "/v1/closed-connections",
        columns: ["Peer", "Closed", "Server name", "Pushes", "Bytes", "Error"], numeric: ["Pushes", "Bytes"],
        cells: (one) => [
            [el("strong", {}, one.peer),
                el("small", {}, `no. ${one.id}, open for ${lasted(one)}`)],
            localTime(one.closedAt), [one.sni ?? "no name", el("small", {}, one.environment)],
            one.pushes.toLocaleString("en-US"),
            [`${bytes(one.bytesIn)} in`, el("small", {}, `${bytes(one.bytesOut)} out`)],
            one.reason ? el("span", { class: "break" }, one.reason) : el("span", { class: "faint" }, "none"),
        ],
    },
    {
        title: "Failed TLS handshakes", path: "/v1/failed-handshakes",
        columns: ["Peer", "Failed", "Server name", "Cause", "Reason"], numeric: [],
        cells: (one) => [
            [el("strong", {}, one.peer), el("small", {}, `no. ${one.id}`)],
            localTime(one.at), [one.sni ?? "no name", el("small", {}, one.environment)],
            chip(one.cause, "warn"), el("span", { class: "break" }, one.reason),
        ],
    },
];

function lasted(one) {
    return span(Date.parse(one.closedAt) - Date.parse(one.openedAt));
}

/** A table, hidden while it is empty. */
function pastTable({ title, columns, numeric, cells }) {
    let isWhole = false;
    let page = null;
    const total = el("span", { class: "faint tabular" });
    const rows = el("tbody", {});
    const place = el("span", { class: "faint tabular grow" });
    const more = button("Show all", () => {
        isWhole = true;
        draw();
    }, { kind: "small", name: `Show all: ${title}`, recorded: true });
    const node = el("section", { class: "panel v-past", hidden: true, "aria-label": title },
        el("div", { class: "panel-head" }, el("h2", {}, `${title} `, total)),
        el("div", { class: "table-wrap" }, el("table", { class: "table v-table" },
            el("caption", { class: "visually-hidden" }, title), tableHead(columns, null, numeric), rows)),
        el("div", { class: "row v-pager" }, place, more));

    function makeRow() {
        return el("tr", {}, columns.map((name, index) => el("td", {
            class: numeric.includes(name) ? "num" : null, "data-label": index > 0 ? name : null,
        })));
    }

    function draw() {
        const all = page.matched + page.evicted;
        const shown = isWhole ? page.items : page.items.slice(0, shownFirst);
        node.hidden = all === 0;
        total.textContent = all.toLocaleString("en-US");
        reconcile(rows, shown, (one) => one.id, makeRow,
            (row, one) => cells(one).forEach((content, index) => refill(row.children[index], content)));
        place.textContent = shown.length < all ? `The latest ${shown.length} of ${all.toLocaleString("en-US")}` : "";
        more.hidden = shown.length === page.items.length;
        place.parentElement.hidden = shown.length === all;
    }

    node.set = (next) => {
        page = next;
        draw();
    };
    return node;
}

/** Both tables; `stop()` ends their updates. */
export function pastConnections(app) {
    const sections = tables.map(pastTable);
    const note = el("p", { class: "field-hint", role: "status" });
    const watch = live(app, {
        every: pace,
        concerns: (event) => event.type === "connection",
        async refresh(signal) {
            const pages = await Promise.all(tables.map(({ path }) => app.api.get(path, { signal })));
            sections.forEach((section, index) => section.set(pages[index]));
            note.textContent = "";
        },
        failed: (error) => (note.textContent = sentence(error)),
    });
    return { elements: [...sections, note], stop: watch.stop };
}
