// What a sender of web pushes needs: nothing but the CA, because subscriptions have this server's address.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { copyButton } from "./parts.js";

/** How libraries without a setting for it trust the CA. */
const trust = [
    ["Trust the CA, web-push (Node.js)", "export NODE_EXTRA_CA_CERTS=ca.pem"],
    ["Trust the CA, pywebpush (Python)", "export REQUESTS_CA_BUNDLE=ca-bundle.pem"],
    ["Trust the CA, webpush-go and what uses OpenSSL", "export SSL_CERT_FILE=ca-bundle.pem"],
];

/** The panel, which is there while the port is open. */
export function webPushSection(app) {
    const content = el("div", { class: "panel-body stack" });
    const node = el("section", { class: "panel", "aria-labelledby": "web-push-title", hidden: true },
        el("div", { class: "panel-head" }, el("h2", { id: "web-push-title" }, "Web Push")), content);
    node.set = ({ ports }) => {
        node.hidden = ports.webPush === null;
        if (node.hidden) return;
        const lines = [["Port of web pushes", `${ports.webPush}`], ...trust];
        refill(content,
            el("p", { class: "muted" }, "Install a web app on a ", el("a", { href: "#/devices" }, "device"),
                " and give its subscription to your sender. There is nothing to redirect: the endpoint has this",
                " server's address."),
            lines.map(([title, text]) => el("figure", { class: "v-snippet" },
                el("figcaption", { class: "spread" }, el("span", { class: "muted small" }, title),
                    copyButton(app, text, "this line")),
                el("pre", { class: "code" }, text))));
    };
    return node;
}
