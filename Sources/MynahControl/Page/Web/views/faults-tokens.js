// The table of magic tokens.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { chip, copyButton, empty, tableHead } from "./parts.js";

/** The table with a field to filter it; `set(tokens)` fills it. */
export function tokenTable(app) {
    let tokens = [];
    const search = el("input", {
        type: "search", class: "input v-filter", "aria-label": "Filter magic tokens",
        placeholder: "Status, reason or effect", onInput: show, recorded: true,
    });
    const rows = el("tbody", {});
    const table = el("table", { class: "table v-table" },
        el("caption", { class: "visually-hidden" }, "Magic tokens"),
        tableHead(["Effect", "Answer", "Token"]),
        rows);
    const off = el("div", {});
    const panel = el("div", { class: "panel table-wrap" }, table);
    const node = el("div", { class: "stack" },
        el("p", { class: "v-lead" },
            "A push to one of these device tokens always gets this answer: for tests that control only "
                + "the token. Disable them with --magic-tokens off."),
        search, off, panel);
    function show() {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const found = tokens.filter((one) => {
            const text = `${one.does} ${one.status ?? ""} ${one.reason ?? ""} ${one.token}`.toLowerCase();
            return words.every((word) => text.includes(word));
        });
        refill(rows, found.map((one) => el("tr", {},
            el("td", {}, one.does),
            el("td", {},
                one.status === null ? chip("no answer", "warn")
                : chip([one.status, one.reason].filter(Boolean).join(" "), one.status === 200 ? "good" : "bad")),
            el("td", {}, el("div", { class: "v-copied" },
                el("code", {}, one.token), copyButton(app, one.token, `the token of ${one.does}`))))));
    }
    node.set = (next) => {
        tokens = next;
        refill(off, next.length > 0
            ? [] : empty("Magic tokens are disabled", "This server was started with --magic-tokens off."));
        panel.hidden = search.hidden = next.length === 0;
        show();
    };
    return node;
}
