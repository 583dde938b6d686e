// What the feed shows while it is empty.

import { el, fill, icon } from "../core/dom.js";
import { newPushRoute } from "./compose.js";
import { apnsHost, urlFlag } from "./copies.js";
import { firstSend } from "./web-copies.js";

const exampleToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0";

/** Lines to copy, with a button. */
function paste(app, label, text) {
    return el("figure", { class: "paste" },
        el("figcaption", { class: "spread" }, el("h3", {}, label),
            el("button", {
                class: "btn btn-small btn-quiet", type: "button", "aria-label": `Copy: ${label}`,
                onclick: () => app.copyText(text, "the lines"), recorded: true,
            }, icon("copy"), "Copy")),
        el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": label }, text));
}

/** Before the first push: where to send it, and two ways to send one now. */
export function firstSteps(app) {
    if (app.isRecorded) {
        return el("section", { class: "empty", "aria-label": "No push yet" },
            el("h2", {}, "No push yet"), el("p", {}, "The slider leads to a later place of the run."));
    }
    const root = el("section", { class: "empty", "aria-label": "First steps" });
    const facts = el("dl", { class: "kv facts" });
    const examples = el("div", { class: "stack" });
    fill(root,
        el("h2", {}, "Waiting for the first push"),
        el("p", {}, "Point your provider at this server. Its pushes appear here at once, whether accepted or refused."),
        el("p", { class: "empty-actions" },
            el("a", { class: "btn btn-primary", href: `#/pushes/${newPushRoute}` }, "Send one from this page")),
        facts, examples);

    async function show() {
        const [status, credentials] = await Promise.all([app.api.get("/v1/status"), app.api.get("/v1/credentials")]);
        const port = status.ports.apns[0];
        const origin = location.origin;
        const url = urlFlag();
        const fact = (name, value, ...aside) => [el("dt", {}, name), el("dd", {}, el("span", {}, value), aside)];
        fill(facts,
            fact("Host and port", [el("code", {}, `${apnsHost()}:${port}`), ` over TLS, for ${status.environment}`]),
            fact("Trust the CA", el("a", { href: "/ca.pem", download: "ca.pem" }, "ca.pem"),
                el("span", { class: "faint" },
                    "in your client's settings, or ca-bundle.pem beside it with SSL_CERT_FILE")),
            credentials.keyId && fact("Sign with",
                ["key ", el("code", {}, credentials.keyId), ", team ", el("code", {}, credentials.teamId)],
                credentials.key && el("button", {
                    class: "btn btn-small", type: "button",
                    onclick: () => app.copyText(credentials.key, "the signing key"),
                }, icon("copy"), "Copy the .p8 key")));
        fill(examples,
            paste(app, "With mynah send",
                `mynah send${url} --to ${exampleToken} \\\n`
                + `  --topic com.example.app --alert "Hello, Mynah"\n`),
            paste(app, "With curl",
                `curl -sO ${origin}/ca.pem\n`
                + `curl --http2 --cacert ca.pem -i \\\n`
                + `  -H "authorization: bearer $(mynah token${url})" \\\n`
                + `  -H "apns-topic: com.example.app" -H "apns-push-type: alert" \\\n`
                + `  -d '{"aps":{"alert":"Hello, Mynah"}}' \\\n`
                + `  https://${apnsHost()}:${port}/3/device/${exampleToken}\n`),
            status.ports.webPush !== null && paste(app, "A web push with mynah send",
                firstSend({ webPush: null, applicationServerKey: null })),
            el("p", {}, "Nothing arrives? Read on in the documentation: Troubleshooting, Connect a provider. Or run ",
                el("code", {}, "mynah help"), "."));
    }
    show().catch((error) => fill(facts, el("dt", {}, "Not available"), el("dd", {}, error.message)));
    return root;
}

/** The end of the first name in a search whose value is compared as a whole, and is a text. */
const comparesWhole = /((?:^|\s)-?(?:(?:payload|screen):\/[^\s:~"]*|topic|device|collapseId|scope|token|team|keyId)):/;

/** A search that found nothing. */
export function noMatch(query, clear) {
    return el("section", { class: "empty", "aria-label": "No match" },
        el("h2", {}, "No push matches"),
        el("p", {}, "No push in the journal matches ", el("code", { class: "break" }, query),
            ".", el("span", { recorded: false }, " New pushes that match will appear here.")),
        comparesWhole.test(query) && el("p", { class: "muted" }, "A value is compared as a whole: ",
            el("code", {}, query.replace(comparesWhole, "$1~:")), " looks for a part of it."),
        el("p", { class: "empty-actions" },
            el("button", { class: "btn", type: "button", onclick: clear, recorded: true }, "Clear the search")));
}
