// The open connections, kept up to date, with buttons to close them; earlier ones, and the broadcast channels.
import { el } from "../core/dom.js";
import { channelSection } from "./connections-channels.js";
import { pastConnections } from "./connections-past.js";
import { reconcile, refill } from "./refill.js";
import { handshakeNotice } from "../core/handshakes.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { live } from "../core/live.js";
import { advice, attempt, button, chip, command, empty, head, sentence, tableHead } from "./parts.js";
import { bytes, localTime, span } from "./words.js";

/** How often the list is read, in milliseconds: counters change without events. */
const pace = 1000;
const listed = 200;
const exampleToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0";

function mount(root, app) {
    const total = el("span", { class: "faint tabular" });
    const rows = el("tbody", {});
    const note = el("p", { class: "field-hint", role: "status" });
    const table = el(
        "table", { class: "table v-table" },
        el("caption", { class: "visually-hidden" }, "Open connections"),
        tableHead(["Peer", "TLS", "Server name", "Credential", "Streams", "Pushes", "Bytes"], "Close",
            ["Streams", "Pushes", "Bytes"]),
        rows);
    const panel = el("div", { class: "panel table-wrap" }, table);
    const nothing = el("div", {});
    const handshakes = handshakeNotice(app);
    const channels = channelSection(app);
    const past = pastConnections(app);
    root.append(
        head(["Connections ", total]),
        el("div", { class: "view-body" }, handshakes.element, nothing, panel, note,
            past.elements, channels.elements));

    const ending = new Set();
    const seen = new Map();

    async function end(id, isAborted) {
        ending.add(id);
        redraw();
        const done = await attempt(app, () => app.api.delete(
            `/v1/connections/${id}`, isAborted ? { query: { abort: "true" } } : {}));
        ending.delete(id);
        if (done) app.toast(`Connection ${id} was ${isAborted ? "reset" : "closed with GOAWAY"}.`);
        watch.now();
    }

    let page = null;
    let readAt = 0;
    function redraw() {
        if (!page) return;
        total.textContent = page.matched.toLocaleString("en-US");
        panel.hidden = page.items.length === 0;
        refill(nothing, page.items.length > 0 ? [] : noConnections(app));
        reconcile(rows, page.items, (one) => one.id, (one) => makeRow(one.id), updateRow);
        note.textContent = page.matched > page.items.length ? `Showing the latest ${page.items.length}.` : "";
    }

    function makeRow(id) {
        const row = el("tr", { "data-connection": id });
        const cells = Array.from({ length: 7 }, () => el("td", {}));
        const goaway = button("GOAWAY", () => end(id, false), {
            kind: "small", name: `Send GOAWAY on connection ${id}`,
                title: "GOAWAY with the reason Shutdown; open streams may finish",
        });
        const abort = button("Abort", () => end(id, true), {
            kind: "small", name: `Abort connection ${id}`, title: "Reset the TCP connection at once",
        });
        row.append(...cells, el("td", { class: "v-ends" }, goaway, abort));
        Object.assign(row, { cells7: cells, goaway, abort });
        return row;
    }

    function updateRow(row, one) {
        const [peer, tls, asked, credential, streams, pushes, size] = row.cells7;
        for (const cell of [streams, pushes, size]) cell.className = "num";
        for (const cell of [peer, tls, asked]) cell.className = "v-whole";
        refill(peer, el("strong", {}, one.peer), el(
            "small", { title: localTime(one.openedAt) },
                `no. ${one.id}, open for ${span(readAt - Date.parse(one.openedAt))}`));
        tls.dataset.label = "TLS";
        tls.title = one.cipher ?? "";
        refill(tls, one.tls ?? "cleartext", el("small", {}, one.alpn ?? "no ALPN"));
        asked.dataset.label = "Server name";
        refill(asked, one.sni ?? "no name", el("small", {}, one.environment));
        credential.dataset.label = "Credential";
        refill(credential, ...credentialOf(one.credential));
        streams.dataset.label = "Streams";
        refill(streams, `${one.streams.open} of ${one.streams.limit}`,
            el("small", {}, `${one.streams.total.toLocaleString("en-US")} so far`));
        pushes.dataset.label = "Pushes";
        refill(pushes, one.pushes.toLocaleString("en-US"), rate(one));
        size.dataset.label = "Bytes";
        refill(size, `${bytes(one.bytesIn)} in`, el("small", {}, `${bytes(one.bytesOut)} out`));
        row.goaway.disabled = ending.has(one.id);
        row.abort.disabled = false;
        row.goaway.textContent = ending.has(one.id) ? "Ending…" : "GOAWAY";
    }

    /** Pushes per second since the last update. */
    function rate(one) {
        const before = seen.get(one.id);
        const perSecond = before && performance.now() > before.at
            ? Math.round(((one.pushes - before.pushes) * 1000) / (performance.now() - before.at)) : 0;
        return perSecond > 0 ? el("small", {}, `${perSecond.toLocaleString("en-US")} a second`) : null;
    }

    const watch = live(app, {
        every: pace,
        concerns: (event) => event.type === "connection",
        async refresh(signal) {
            const [next, clock] = await Promise.all([
                app.api.get("/v1/connections", { query: { order: "desc", limit: listed }, signal }),
                app.api.get("/v1/clock", { signal }),
            ]);
            readAt = Date.parse(clock.now);
            for (const one of page?.items ?? []) seen.set(one.id, { pushes: one.pushes, at: page.at });
            page = { ...next, at: performance.now() };
            redraw();
            const open = new Set(page.items.map((one) => one.id));
            for (const id of seen.keys()) if (!open.has(id)) seen.delete(id);
        },
        failed: (error) => (note.textContent = sentence(error)),
    });
    const endKeys = listKeys(root, "tbody tr");
    return () => {
        endKeys();
        watch.stop();
        handshakes.stop();
        channels.stop();
        past.stop();
    };
}

function credentialOf(credential) {
    if (!credential) return [chip("none yet", "plain", "No valid credential yet")];
    if (credential.kind === "certificate") return ["Certificate", el("small", {}, credential.subject ?? "")];
    return ["Token", el("small", {}, `key ${credential.keyId}, team ${credential.team}`)];
}

function noConnections(app) {
    return empty(
        "No connections",
        advice("Point a provider at this server to see its connections and credentials. For how to do that with ",
            "each client, see ", el("a", { href: "#/connect" }, "Connect"), "."),
        command(app, `mynah send --to ${exampleToken} --topic com.example.app --alert hi`));
}

export default { id: "connections", title: "Connections", shortcuts: listShortcuts, mount };
