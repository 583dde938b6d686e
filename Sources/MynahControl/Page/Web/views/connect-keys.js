// The signing keys whose provider tokens are accepted.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./refill.js";
import { attempt, button, chip, confirmButton, download, field, fold, form, select, tableHead } from "./parts.js";
import { localTime, part } from "./words.js";

/** The list, and a form for another one; `changed()` is called after a change. */
export function keySection(app, changed) {
    const rows = el("tbody", {});
    const made = el("div", { "aria-live": "polite" });
    const table = el("table", { class: "table v-table" },
        el("caption", { class: "visually-hidden" }, "Signing keys"),
        tableHead(["Key", "Team", "Environment", "Topics"], "Revoke"),
        rows);
    const node = el("section", { class: "panel" },
        el("div", { class: "panel-head" }, el("h2", {}, "Signing keys")),
        el("div", { class: "table-wrap" }, table),
        el("div", { class: "panel-body stack-s", recorded: false }, made, fold("Add a key", newKeyForm(app, added))));

    function added(key) {
        refill(made, key.privateKey
            ? el("div", { class: "notice notice-info" },
                el("span", { class: "grow" }, `The private key of ${key.keyId} is shown only once.`),
                button(`Download AuthKey_${key.keyId}.p8`, () => download(`AuthKey_${key.keyId}.p8`, key.privateKey)))
            : []);
        changed();
    }

    node.set = (keys) => reconcile(rows, keys, (key) => key.keyId, (key) => makeRow(app, key.keyId, changed),
        (row, key) => {
        const [id, team, environment, topics] = row.cells;
        refill(id, el("code", {}, key.keyId),
            key.revokedAt ? [" ", chip("revoked", "bad", localTime(key.revokedAt))] : null);
        refill(team, el("code", {}, key.team));
        team.dataset.label = "Team";
        refill(environment, key.environment);
        environment.dataset.label = "Environment";
        topics.dataset.label = "Topics";
        refill(topics, key.topics ? key.topics.join(", ") : "all of the team's",
            key.related ? el("small", {}, `related to ${key.related}`) : null);
        row.revoke.hidden = key.revokedAt !== null;
    });
    return node;
}

function makeRow(app, keyId, changed) {
    const revoke = confirmButton(app, "Revoke", () => ({
        title: `Revoke ${keyId}?`, word: "Revoke",
        text: "Its tokens will get Forbidden on connections that have used it, and InvalidProviderToken on others.",
    }), async () => {
        await attempt(app, () => app.api.delete(`/v1/keys/${part(keyId)}`));
        changed();
    }, { kind: "small", name: `Revoke ${keyId}` });
    const row = el("tr", {}, el("td", {}), el("td", {}), el("td", {}), el("td", {}),
        el("td", { class: "v-ends" }, revoke));
    row.revoke = revoke;
    return row;
}

function newKeyForm(app, added) {
    const team = field("Team", { maxlength: "10", placeholder: "the server's own" });
    const environment = select("Environment", ["both", "sandbox", "production"]);
    const topics = field("Topics", { placeholder: "all of the team's" },
        "Separated by spaces; a topic-specific key is for one environment.");
    const publicKey = field("Public key", { rows: 3, placeholder: "-----BEGIN PUBLIC KEY-----" },
        "PEM, on P-256. Leave empty to generate a key pair; its private key is shown once.");
    async function send() {
        const words = topics.input.value.split(/[\s,]+/).filter(Boolean);
        const key = await app.api.post("/v1/keys", {
            environment: environment.input.value,
            ...(team.input.value.trim() ? { team: team.input.value.trim() } : {}),
            ...(words.length > 0 ? { topics: words } : {}),
            ...(publicKey.input.value.trim() ? { publicKey: publicKey.input.value } : {}),
        });
        topics.input.value = "";
        publicKey.input.value = "";
        added(key);
    }
    return form([
        { field: team, pointer: "/team" }, { field: environment, pointer: "/environment" },
        { field: topics, pointer: "/topics" },
        { field: publicKey, pointer: "/publicKey" },
    ], "Add key", send);
}
