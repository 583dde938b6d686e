// What the code under test needs to authenticate and to trust the server, and instructions for each client.
import { el } from "../core/dom.js";
import { apnsHost, urlFlag } from "../pushes/copies.js";
import { refill } from "./refill.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { live } from "../core/live.js";
import { copyButton, button, download, head, select, sentence } from "./parts.js";
import { certificateSection } from "./connect-certificates.js";
import { clients } from "./connect-clients.js";
import { keySection } from "./connect-keys.js";
import { webPushSection } from "./connect-web-push.js";

const usualTopic = "com.example.app";
const apnsPort = 443;

function mount(root, app) {
    const note = el("p", { class: "field-error", role: "alert" });
    const credentials = el("div", { class: "grid-2" });
    const pasting = pasteSection(app);
    const webPush = webPushSection(app);
    const keys = keySection(app, () => watch.now());
    const certificates = certificateSection(app, () => watch.now());
    root.append(
        head("Connect"),
        el("div", { class: "view-body" },
            el("div", { class: "v-single stack" }, note,
                el("p", { class: "v-lead", hidden: !app.isRecorded },
                    "Providers can't connect to a recorded run. These are its signing keys."),
                el("div", { class: "stack", recorded: false }, credentials, pasting, webPush), keys,
                el("div", { recorded: false }, certificates))));

    const watch = live(app, {
        every: 10_000,
        concerns: () => false,
        async refresh(signal) {
            const allKeys = await app.api.get("/v1/keys", { signal });
            keys.set(allKeys.items);
            note.textContent = "";
            if (app.isRecorded) return;
            const [own, status, allCertificates] = await Promise.all([
                app.api.get("/v1/credentials", { signal }), app.api.get("/v1/status", { signal }),
                app.api.get("/v1/certificates", { signal }),
            ]);
            refill(credentials, ...credentialPanels(app, own));
            pasting.set(own, status);
            webPush.set(status);
            certificates.set(allCertificates.items);
        },
        failed: (error) => (note.textContent = sentence(error)),
    });
    const endKeys = listKeys(root, "tbody tr");
    return () => {
        endKeys();
        watch.stop();
    };
}

function credentialPanels(app, own) {
    const file = `AuthKey_${own.keyId}.p8`;
    return [
        el("section", { class: "panel" },
            el("div", { class: "panel-head" }, el("h2", {}, "Certificate authority")),
            el("div", { class: "panel-body stack-s" },
                el("p", { class: "muted" },
                    "Clients need this CA to trust the server. Its key never leaves the state folder, "
                    + "and it is valid only for local names and Apple's names. ca-bundle.pem, beside it there, has the "
                    + "system's roots as well, for SSL_CERT_FILE."),
                el("div", { class: "row" },
                    button("Download ca.pem", () => download("ca.pem", own.ca), { kind: "primary" }),
                    copyButton(app, own.ca, "the CA", "Copy PEM")))),
        el("section", { class: "panel" },
            el("div", { class: "panel-head" }, el("h2", {}, "Development key")),
            el("div", { class: "panel-body stack-s" }, own.key === null
                ? el("p", { class: "muted" },
                    "This server uses your own keys (--auth-key), so there is no development key.")
                : [
                    el("dl", { class: "kv" },
                        el("dt", {}, "Key ID"), copied(app, own.keyId, "the key ID"),
                        el("dt", {}, "Team ID"), copied(app, own.teamId, "the team ID")),
                    el("div", { class: "row" },
                        button(`Download ${file}`, () => download(file, own.key), { kind: "primary" }),
                        copyButton(app, own.key, "the key", "Copy PEM")),
                ])),
    ];
}

function copied(app, text, what) {
    return el("dd", { class: "row" }, el("code", {}, text), copyButton(app, text, what));
}

/** The lines for one client after another. */
function pasteSection(app) {
    let at = null;
    const languages = [...new Set(clients.map((client) => client.language))];
    const chosen = select("Client", [], show);
    chosen.input.append(...languages.map((language) => el("optgroup", { label: language },
        clients.filter((client) => client.language === language)
            .map((client) => el("option", { value: client.id }, `${language}: ${client.name}`)))));
    const lines = el("div", { class: "stack" });
    const node = el("section", { class: "panel" },
        el("div", { class: "panel-head" }, el("h2", {}, "Point your provider here"),
            el("div", { class: "v-inline" }, chosen)),
        el("div", { class: "panel-body" }, lines));

    function show() {
        const client = clients.find((one) => one.id === chosen.input.value);
        if (!client || !at) return;
        refill(lines,
            client.lines(at).map(([title, text]) => el("figure", { class: "v-snippet" },
                el("figcaption", { class: "spread" }, el("span", { class: "muted small" }, title),
                    copyButton(app, text, "these lines")),
                el("pre", { class: "code" }, text))),
            client.note ? el("p", { class: "muted small" }, client.note) : null);
    }

    node.set = (own, status) => {
        const ports = status.ports.apns;
        const port = ports.find((one) => one !== apnsPort) ?? ports[0];
        at = {
            host: apnsHost(), urlFlag: urlFlag(),
            port, cleartext: status.ports.cleartext, proxy: status.ports.proxy,
            has443: ports.includes(apnsPort), environment: status.environment, topic: usualTopic,
            keyId: own.keyId ?? "YOURKEYID1", teamId: own.teamId ?? "YOURTEAMID",
            keyFile: `AuthKey_${own.keyId ?? "YOURKEYID1"}.p8`,
        };
        show();
    };
    return node;
}

export default { id: "connect", title: "Connect", shortcuts: listShortcuts, mount };
