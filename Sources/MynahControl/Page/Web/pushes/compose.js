// A push to send from the page, a new one or an earlier one again; the server sends it to its own port.

import { el, fill, icon } from "../core/dom.js";
import { count } from "../core/format.js";
import { findDevices } from "../views/devices-find.js";
import { jsonEditor, jsonProblem } from "../views/json-editor.js";
import { choice, field, form, select } from "../views/parts.js";
import * as copies from "./copies.js";
import { pushTypes } from "./search.js";
import { payloadMax, statusKind } from "./summary.js";

/** The place of the form below `#/pushes/`: no push has this number or ID. */
export const newPushRoute = "+new";
/** Why the form is for APNs alone. */
export const webPushUnsent = "Signing a web push needs the sender's private key: copy the mynah send command instead";
const usualTopic = "com.example.app";
const usualPayload = '{\n  "aps": {\n    "alert": {"title": "Hello", "body": "From the page"}\n  }\n}';
const tokenBytes = 32;
const typingMilliseconds = 150;

const utf8 = new TextEncoder();

/** The ends of topics that are for one push type. */
const topicSuffixes = {
    ".complication": "complication", ".push-type.controls": "controls", ".pushkit.fileprovider": "fileprovider",
    ".push-type.liveactivity": "liveactivity", ".location-query": "location", ".voip-ptt": "pushtotalk", ".voip": "voip",
    ".push-type.widgets": "widgets",
};

/** The push type that goes with a topic; none for the passes of Wallet. */
function pushTypeOf(topic) {
    if (topic.startsWith("pass.")) return "";
    if (topic.startsWith("com.apple.mgmt.")) return "mdm";
    const suffix = Object.keys(topicSuffixes).find((one) => topic.endsWith(one) && topic.length > one.length);
    return suffix ? topicSuffixes[suffix] : "alert";
}

function base64(octets) {
    let text = "";
    for (const octet of octets) text += String.fromCharCode(octet);
    return btoa(text);
}

function randomToken() {
    const octets = crypto.getRandomValues(new Uint8Array(tokenBytes));
    return [...octets].map((octet) => octet.toString(16).padStart(2, "0")).join("");
}

/** The values of a push's header fields by the names of the API, as they were sent. */
function sentFields(push) {
    const names = {
        "apns-topic": "topic", "apns-push-type": "pushType", "apns-priority": "priority",
        "apns-expiration": "expiration", "apns-collapse-id": "collapseId", "apns-channel-id": "channel",
    };
    const fields = Object.fromEntries(push.headers.filter(([name]) => names[name])
        .map(([name, value]) => [names[name], value]));
    const token = /^\/3\/device\/(.*)$/.exec(push.path ?? "")?.[1] ?? push.token ?? "";
    return push.channel === null ? { ...fields, token } : { ...fields, topic: push.topic };
}

/** The form; `open(parameters)` fills it by the parameters of the address. */
export function makeComposer(app, { close }) {
    const tokens = el("datalist", { id: "compose-tokens" });
    const target = choice("To", [["token", "A device"], ["channel", "A broadcast channel"]], showTarget);
    const token = field("Device token", { class: "input mono", list: tokens.id, onInput: typed },
        "Choose an app of a device, or enter any token: an unknown one makes a device.");
    const channel = field("Channel ID", { class: "input mono" });
    const topic = field("Topic", { placeholder: usualTopic, onInput: followTopic });
    const pushType = select("Push type", [["", "none"], ...pushTypes], () => {
        isTypeChosen = true;
        showSize();
    });
    const priority = field("Priority", { placeholder: "none" }, "10, 5 or 1");
    const expiration = field("Expiration", { placeholder: "none" }, "In Unix seconds; 0: don't store");
    const collapseId = field("Collapse ID", { placeholder: "none" });
    const environment = select("Environment", [["", "the server's"], "sandbox", "production"]);
    const payload = jsonEditor("Payload", { rows: 10, changed: showSize });
    const size = el("p", { class: "field-hint tabular", role: "status" });
    const result = el("div", { class: "send-result", role: "status" });
    const fields = [
        { field: target }, { field: token, pointer: "/token" }, { field: channel, pointer: "/channel" },
        { field: topic, pointer: "/topic" }, { field: pushType }, { field: priority, pointer: "/priority" },
        { field: expiration, pointer: "/expiration" }, { field: collapseId, pointer: "/collapseId" },
        { field: environment }, payload, size,
    ];
    const sheet = form(fields, "Send", send, { more: [result] });
    sheet.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) sheet.requestSubmit();
    });
    const title = el("h1", { class: "detail-title", tabindex: "-1" });
    const note = el("p", { class: "notice", role: "note", hidden: true });
    const element = el("section", { class: "compose", "aria-label": "Send a push" },
        el("header", { class: "detail-head" }, el("div", { class: "spread" }, title,
            el("button", { class: "btn btn-quiet btn-icon", type: "button", "aria-label": "Close", title: "Close (Esc)",
                onclick: close }, icon("close")))),
        note, el("div", { class: "compose-body" }, sheet, tokens));

    /** The apps that are suggested, by token. */
    let known = new Map();
    let scope;
    let shown = null;
    let typing = 0;
    /** Whether the push type was chosen, and so doesn't follow the topic. */
    let isTypeChosen = false;
    /** A body that is not UTF-8: its text in the editor, and its bytes. */
    let original = null;

    function showTarget(kind) {
        target.kind = kind;
        target.set(kind);
        token.hidden = kind === "channel";
        channel.hidden = kind !== "channel";
        collapseId.hidden = kind === "channel";
        showSize();
    }

    function octets() {
        return original?.text === payload.text ? original.octets : utf8.encode(payload.text);
    }

    function showSize() {
        const { length } = octets();
        const max = payloadMax({ pushType: pushType.input.value, channel: target.kind === "channel" ? "" : null });
        const problem = length > 0 ? jsonProblem(payload.text) : "no payload";
        size.className = `tabular ${problem || length > max ? "field-error" : "field-hint"}`;
        size.textContent = [`${count(length)} of ${count(max)} bytes`, problem].filter(Boolean).join("; ");
    }

    async function suggest(text) {
        const { items } = await findDevices(app, text, scope ? { scope } : {});
        const apps = items.flatMap((device) => device.registrations
            .filter((one) => one.token && one.state === "active" && one.kind !== "web").map((one) => ({ ...one, device })));
        for (const one of apps) known.set(one.token, one);
        fill(tokens, apps.map((one) => (
            el("option", { value: one.token }, `${one.device.name} · ${one.topic} · ${one.environment}`))));
        return apps[0];
    }

    function typed() {
        const text = token.input.value.trim();
        clearTimeout(typing);
        if (known.has(text)) choose(known.get(text));
        // Suggestions are a help alone: without them any token can be entered.
        else typing = setTimeout(() => suggest(text).catch(() => {}), typingMilliseconds);
    }

    function choose(one) {
        token.input.value = one.token;
        topic.input.value = one.topic;
        environment.set(one.environment);
        followTopic();
    }

    function followTopic() {
        if (isTypeChosen) return;
        pushType.set(pushTypeOf(topic.input.value.trim()));
        showSize();
    }

    async function send() {
        fill(result, el("p", { class: "muted" }, "Sending…"));
        const values = {
            [target.kind]: (target.kind === "channel" ? channel : token).input.value.trim(),
            topic: topic.input.value.trim(), pushType: pushType.input.value, priority: priority.input.value.trim(),
            expiration: expiration.input.value.trim(), environment: environment.input.value,
            collapseId: target.kind === "channel" ? "" : collapseId.input.value.trim(),
        };
        const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value));
        try {
            show(await app.api.post("/v1/notifications", { ...given, payloadBase64: base64(octets()) }));
        } catch (error) {
            fill(result);
            throw error;
        }
    }

    function show({ status, reason, problem, sequence }) {
        fill(result,
            el("span", { class: `chip chip-${statusKind(status)}` }, status ?? "no answer"),
            el("span", { class: "break" }, reason ?? problem ?? "accepted"),
            sequence === null ? el("span", { class: "muted" }, "It did not reach the journal.")
                : el("a", { href: `#/pushes/${sequence}` }, `Push ${sequence}`));
    }

    async function load(parameters) {
        const from = parameters.get("from");
        note.hidden = true;
        original = null;
        fill(result);
        if (from === null) {
            isTypeChosen = false;
            fillIn({ topic: parameters.get("topic") ?? "", token: parameters.get("token") ?? "",
                environment: parameters.get("environment") ?? "" }, usualPayload);
            followTopic();
            const first = await suggest("");
            if (token.input.value) return;
            if (first) choose(first);
            else Object.assign(token.input, { value: randomToken() });
            topic.input.value ||= usualTopic;
            return;
        }
        isTypeChosen = true;
        const text = await app.api.text(`/v1/notifications/${encodeURIComponent(from)}`);
        const push = JSON.parse(text);
        if (push.kind === "webPush") {
            fillIn({}, "");
            throw new Error(webPushUnsent);
        }
        const octets = Uint8Array.from(atob(push.payloadBase64 ?? ""), (character) => character.charCodeAt(0));
        const body = copies.payloadText(text, push) ?? copies.rawBody(push.payloadBase64 ?? "");
        fillIn({ ...sentFields(push), environment: push.environment }, body);
        if (push.payload === null) original = { text: payload.text, octets };
        if (push.payload === null && octets.length < push.payloadSize) {
            note.hidden = false;
            note.textContent = `Only the first ${count(octets.length)} bytes of the payload were kept.`;
        }
        showSize();
        await suggest("");
    }

    function fillIn(values, body) {
        token.input.value = values.token ?? "";
        channel.input.value = values.channel ?? "";
        topic.input.value = values.topic ?? "";
        const type = values.pushType ?? "";
        const isListed = [...pushType.input.options].some((one) => one.value === type);
        if (!isListed) pushType.input.append(el("option", { value: type }, type));
        pushType.set(type);
        priority.input.value = values.priority ?? "";
        expiration.input.value = values.expiration ?? "";
        collapseId.input.value = values.collapseId ?? "";
        environment.set(values.environment ?? "");
        payload.text = body;
        showTarget(values.channel === undefined ? "token" : "channel");
    }

    return {
        element,
        /** Whether the form is open. */
        get isOpen() { return shown !== null; },
        open(parameters) {
            const key = ["from", "token", "topic"].map((name) => parameters.get(name)).join("\n");
            scope = /(?:^|\s)scope:(\S+)/.exec(parameters.get("q") ?? "")?.[1];
            if (key === shown) return;
            shown = key;
            known = new Map();
            title.textContent = parameters.get("from") === null
                ? "Send a push" : `Send push ${parameters.get("from")} again`;
            load(parameters).catch((error) => sheet.fault(error));
            title.focus({ preventScroll: true });
        },
        clear() {
            clearTimeout(typing);
            shown = null;
        },
    };
}
