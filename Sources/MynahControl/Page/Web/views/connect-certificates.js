// Provider certificates of this server's CA.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./refill.js";
import {
    attempt, button, chip, confirmButton, download, field, fold, form, select, tableHead, toggle,
} from "./parts.js";
import { localTime, part } from "./words.js";

/** The list, and a form that issues another one; `changed()` is called after a change. */
export function certificateSection(app, changed) {
    const rows = el("tbody", {});
    const issued = el("div", { "aria-live": "polite" });
    const none = el("p", { class: "muted" },
        "None yet. Issue one for a provider that authenticates with a certificate.");
    const table = el("table", { class: "table v-table" },
        el("caption", { class: "visually-hidden" }, "Provider certificates"),
        tableHead(["Certificate", "Topics", "Environment", "Valid until"], "Revoke"),
        rows);
    const wrap = el("div", { class: "table-wrap" }, table);
    const node = el("section", { class: "panel" },
        el("div", { class: "panel-head" }, el("h2", {}, "Provider certificates")),
        wrap,
        el("div", { class: "panel-body stack-s" }, none, issued, fold("Issue a certificate", orderForm(app, told))));

    function told(made) {
        const name = made.topics[0].topic;
        refill(issued, el("div", { class: "notice notice-info" },
            el("span", { class: "grow" },
                `The key of ${name} is shown only once. The password of the .p12 file is “${made.password}”.`),
            el("span", { class: "row" },
                button("Certificate", () => download(`${name}.pem`, made.certificate),
                    { kind: "small", name: `Download ${name}.pem` }),
                button("Key", () => download(`${name}-key.pem`, made.privateKey),
                    { kind: "small", name: `Download ${name}-key.pem` }),
                button(".p12", () => download(`${name}.p12`, bytesOf(made.pkcs12), "application/x-pkcs12"),
                    { kind: "small", name: `Download ${name}.p12` }))));
        changed();
    }

    node.set = (certificates) => {
        none.hidden = certificates.length > 0;
        wrap.hidden = certificates.length === 0;
        reconcile(rows, certificates, (one) => one.serialNumber, (one) => makeRow(app, one, changed), (row, one) => {
            const [subject, topics, environment, until] = row.cells;
            refill(subject, one.subject, one.revokedAt ? [" ", chip("revoked", "bad", localTime(one.revokedAt))] : null,
                el("small", { class: "mono" }, one.serialNumber));
            topics.dataset.label = "Topics";
            refill(topics, one.topics.map((topic) => topic.topic).join(", "));
            environment.dataset.label = "Environment";
            refill(environment, one.environment);
            until.dataset.label = "Valid until";
            refill(until, localTime(one.notAfter));
            row.revoke.hidden = one.revokedAt !== null;
        });
    };
    return node;
}

function makeRow(app, one, changed) {
    const revoke = confirmButton(app, "Revoke", () => ({
        title: "Revoke this certificate?", word: "Revoke",
        text: `${one.subject} is refused in new handshakes, and open connections that use it get BadCertificate. `
            + "This can't be undone.",
    }), async () => {
        await attempt(app, () => app.api.delete(`/v1/certificates/${part(one.serialNumber)}`));
        changed();
    }, { kind: "small", name: `Revoke ${one.subject} ${one.serialNumber}` });
    const row = el("tr", {}, el("td", {}), el("td", {}), el("td", {}), el("td", {}),
        el("td", { class: "v-ends" }, revoke));
    row.revoke = revoke;
    return row;
}

function orderForm(app, told) {
    const topic = field("Bundle ID", { placeholder: "com.example.app", required: true });
    // Apple's certificates for MDM, Wallet and Safari are for production.
    const environment = select("Environment", [["", "as Apple's for the topic"], "both", "sandbox", "production"]);
    const keyType = select("Key", [["rsa", "RSA, 2048 bits"], ["ec", "EC, P-256"]]);
    const voip = toggle("Include the VoIP topic", () => {});
    const complication = toggle("Include the complication topic", () => {});
    const expired = toggle("Already expired", () => {});
    async function send() {
        told(await app.api.post("/v1/certificates", {
            topics: [topic.input.value.trim()], environment: environment.input.value || null, voip: voip.input.checked,
            complication: complication.input.checked, expired: expired.input.checked, keyType: keyType.input.value,
        }));
    }
    return form([
        { field: topic, pointer: "/topics" }, { field: environment, pointer: "/environment" },
        { field: keyType, pointer: "/keyType" }, { field: voip }, { field: complication }, { field: expired },
    ], "Issue", send);
}

function bytesOf(base64) {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
