// Failed TLS handshakes: most users' first error, shown where they look for their pushes.

import { el } from "./dom.js";
import { plural } from "./format.js";
import { live } from "./live.js";

/** Failures come as events; this interval in milliseconds is for a tab that has missed some. */
const pace = 30000;

const reasonStart = /^TLS handshake failed: /;

/** The newest failure of each cause, newest first. */
function newestOfEach(items) {
    const causes = new Map();
    for (const one of items) if (!causes.has(one.cause)) causes.set(one.cause, one);
    return [...causes.values()];
}

/**
 * A notice of how many TLS handshakes have failed and why, hidden while there are none; `stop()` ends its updates.
 */
export function handshakeNotice(app) {
    const element = el("div", { class: "notice handshakes", role: "status", hidden: true });

    function show(page) {
        const total = page.matched + page.evicted;
        element.hidden = total === 0;
        element.replaceChildren(...total === 0 ? [] : [
            el("div", {},
                el("strong", {}, `${plural(total, "TLS handshake", "TLS handshakes")} failed`),
                el("ul", {}, newestOfEach(page.items).map((one) => el("li", {},
                    el("span", { class: "break" }, one.reason.replace(reasonStart, "")),
                    el("small", { class: "break" }, ` — ${one.peer}, ${one.sni ?? "no host name"}`)))),
                el("p", { recorded: false }, el("a", { href: "/ca.pem", download: "ca.pem" }, "Download ca.pem"),
                    ". The clients' messages are in the documentation: Troubleshooting.")),
        ]);
    }

    const watch = live(app, {
        every: pace,
        concerns: (event) => event.type === "connection",
        refresh: async (signal) => show(await app.api.get("/v1/failed-handshakes", { signal })),
        // The state of the connection shows what is wrong.
        failed: () => {},
    });
    return { element, stop: watch.stop };
}
