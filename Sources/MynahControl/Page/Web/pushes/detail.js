// The details of one push: request, answer, timeline, and what the device showed.

import { el, fill, icon } from "../core/dom.js";
import { bytes, count, deviceName, isBroadcast, later, moment } from "../core/format.js";
import { jsonBlock } from "../core/json.js";
import * as copies from "./copies.js";
import { newPushRoute, webPushUnsent } from "./compose.js";
import { screenCard } from "./shown.js";
import { outcomeOf, payloadMax, statusKind, summary } from "./summary.js";
import * as webCopies from "./web-copies.js";

function section(title, aside, ...content) {
    return el("section", { class: "panel detail-section", "aria-label": title },
        el("div", { class: "panel-head" }, el("h2", {}, title), aside), content);
}

function facts(rows) {
    return el("dl", { class: "kv" }, rows.filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));
}

const mono = (text) => (text === null || text === undefined ? null : el("code", {}, text));

function timeElement(text) {
    return el("time", { datetime: text, title: text, class: "tabular" }, moment(text));
}

function timeline(push) {
    const start = Date.parse(push.receivedAt);
    const steps = push.timeline.map(({ at, event, detail }) => el("li", { class: `step step-${event}` },
        el("span", { class: "step-event" }, event),
        detail && el("span", { class: "muted" }, detail),
        el("span", { class: "step-time faint tabular" }, timeElement(at), " ",
            Date.parse(at) > start ? later(Date.parse(at) - start) : "")));
    return section("Timeline", null, el("ol", { class: "timeline panel-body" }, steps));
}

function answer(push) {
    const body = push.reason === null ? null : JSON.stringify(
        push.timestamp === null ? { reason: push.reason } : { reason: push.reason, timestamp: push.timestamp });
    return section("Answer",
        el("span", { class: `chip chip-${statusKind(push.status)}` }, push.status === null ? "none" : `${push.status}`),
        el("div", { class: "panel-body" }, facts([
            ["status", push.status === null ? "no answer" : mono(push.status)],
            [isBroadcast(push) ? "apns-request-id" : "apns-id", mono(push.apnsId)],
            ["apns-unique-id", mono(push.uniqueId)],
            ["body", mono(body)],
            ["unregistered at", push.timestamp === null ? null : timeElement(new Date(push.timestamp).toISOString())],
            ["fault", push.fault && el("a", { href: `#/faults/${encodeURIComponent(push.fault)}` }, push.fault)],
        ])));
}

function payload(push, text, app) {
    const max = payloadMax(push);
    const size = el("span", { class: `small tabular ${push.payloadSize > max ? "is-bad" : "faint"}` },
        `${count(push.payloadSize)} of ${count(max)} bytes`);
    const isJSON = text !== null;
    const raw = isJSON ? text : copies.rawBody(push.payloadBase64 ?? "");
    const body = el("div", { class: "panel-body" });
    const buttons = [];
    const kept = isJSON ? push.payloadSize : atob(push.payloadBase64 ?? "").length;
    const cut = !push.webPush && kept < push.payloadSize
        && el("p", { class: "muted" }, `Only the first ${count(kept)} bytes were kept:`);
    const show = (isPretty) => {
        fill(body, cut, isPretty ? jsonBlock(raw, "Payload, indented")
            : el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "Payload as it was sent" }, raw));
        for (const [index, button] of buttons.entries()) {
            button.setAttribute("aria-pressed", String(isPretty === !index));
        }
    };
    for (const [name, isPretty] of [["Pretty", true], ["Raw", false]]) {
        buttons.push(el("button", {
            type: "button", "aria-pressed": "false", onclick: () => show(isPretty), recorded: true,
        }, name));
    }
    if (push.payloadSize) show(isJSON);
    else fill(body, el("p", { class: "muted" }, "The request had no body."));
    return section("Payload",
        el("div", { class: "row" }, size,
            isJSON && el("div", { class: "tabs", role: "group", "aria-label": "Payload format" }, buttons),
            push.payloadSize > 0 && el("button", {
                class: "btn btn-small btn-quiet", type: "button", "aria-label": "Copy the payload",
                onclick: () => app.copyText(raw, "the payload"), recorded: true,
            }, icon("copy"))),
        body);
}

/** What the fields and the token of a web push say. */
function webPush({ webPush: web }) {
    return section("Web push", null, el("div", { class: "panel-body stack" },
        facts([
            ["TTL", web.ttl === null ? null : mono(`${web.ttl} s`)],
            ["urgency", mono(web.urgency)],
            ["topic", mono(web.topic)],
            ["encoding", mono(web.encoding)],
            ["declarative", web.declarative === null ? null : web.declarative ? "yes" : "no"],
            ["a tap opens", mono(web.navigate)],
            ["claims", mono(web.claims && JSON.stringify(web.claims))],
            ["key", mono(web.applicationServerKey)],
        ])));
}

function credential(value) {
    if (!value) return "none";
    if (value.kind === "certificate") return ["certificate of ", mono(value.subject)];
    return value.keyId ? ["key ", mono(value.keyId), ", team ", mono(value.team)] : "rejected token";
}

/** When the provider token was issued, and its age when it was used; null if it has no iat. */
function tokenAge(push) {
    const value = push.headers.find(([name]) => name === "authorization")?.[1] ?? "";
    const claims = value.split(" ").at(-1).split(".")[1] ?? "";
    try {
        const { iat } = JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/")));
        const age = Date.parse(push.receivedAt) - iat * 1000;
        const used = age >= 0 ? `, used ${later(age).slice(1)} later` : ", in the future";
        return [timeElement(new Date(iat * 1000).toISOString()), used];
    } catch {
        return null;
    }
}

function request(push) {
    const isWeb = push.kind === "webPush";
    return section("Request", null,
        el("div", { class: "panel-body stack" },
            facts([
                ["request", el("code", {}, [push.method, push.path].filter(Boolean).join(" "))],
                ["channel", mono(push.channel)],
                ["Devices reached", push.devices === null ? null : count(push.devices)],
                ["push type", push.pushType], ["priority", push.priority],
                ["expiration", push.expiration === 0 ? "0: try once, don't store"
                    : push.expiration && timeElement(push.expiration)],
                ["collapse id", mono(push.collapseId)],
                ["credential", isWeb ? null : credential(push.credential)],
                ["token issued", tokenAge(push)],
                ["environment", isWeb ? null : push.environment],
                ["connection", `${push.connection}, stream ${push.stream}`],
                ["attempt", push.attempt > 1 ? push.attempt : null],
                ["repeats", push.repeats === null ? null
                    : el("a", { href: `#/pushes/${push.repeats}` }, `push ${push.repeats}`)],
            ]),
            el("div", { class: "table-wrap" }, el("table", { class: "table headers" },
                el("caption", { class: "visually-hidden" }, "Header fields in the order received"),
                el("thead", {}, el("tr", {},
                    el("th", { scope: "col" }, "Header"), el("th", { scope: "col" }, "Value"))),
                el("tbody", {}, push.headers.map(([name, value]) => el("tr", {},
                    el("td", { class: "mono nowrap" }, name), el("td", { class: "mono break" }, value))))))));
}

/** Why it was refused, in the server's words: of a web push everything that is wrong, with how that is known. */
function refusal(push) {
    const found = push.webPush?.refusals ?? [];
    if (found.length > 0) {
        return el("ul", { class: "warnings", "aria-label": "Causes" },
            found.map(({ reason, cause, evidence }) => el("li", { class: "notice notice-bad" }, icon("close"),
                el("span", {}, el("strong", {}, reason), `: ${cause} `, el("span", { class: "faint" }, `(${evidence})`)))));
    }
    const detail = push.timeline.find(({ event }) => event === "refused")?.detail;
    return detail && el("p", { class: "notice notice-bad", role: "note" }, icon("close"),
        el("span", {}, el("strong", {}, push.reason), `: ${detail}`));
}

/** Why a web push was answered 201 and its browser shows nothing, or not what it declares. */
function webPushNotes({ webPush }) {
    const notes = [
        webPush?.problem && `The browser can't decrypt it: ${webPush.problem}`,
        webPush?.notDeclarative && `It is not declarative: ${webPush.notDeclarative}`,
    ].filter(Boolean);
    return notes.length > 0 && el("ul", { class: "warnings", "aria-label": "Notes on the web push" },
        notes.map((note) => el("li", { class: "notice" }, icon("faults"), note)));
}

/** A button that leads to something else. */
function tool(attributes, ...content) {
    return el("button", { type: "button", recorded: true, ...attributes }, content);
}

/** Leads to the form that sends it again. */
function sendAgain(push) {
    if (push.kind === "webPush") {
        return el("button", {
            class: "btn btn-small", type: "button", disabled: true, title: webPushUnsent,
        }, "Send again…");
    }
    return push.path !== null && el("a", {
        class: "btn btn-small", href: `#/pushes/${newPushRoute}?from=${push.sequence}`,
    }, "Send again…");
}

/** Buttons that copy what sends it again, and what makes its device. */
function ownCopies(push, copy, { text, port, registration, isRecorded }) {
    if (push.kind !== "webPush") {
        return [
            copy("curl", "a curl command", () => copies.curl(push, text, port)),
            copy("Fixture", "a fixtures file", () => copies.fixture(push)),
        ];
    }
    const unknown = copies.subscribedKey(push, registration) === null
        && "The web app isn't there, and with which key it subscribed isn't known";
    return [
        // A recorded run has no port to which its subscriptions lead.
        copy("mynah send", "a command", () => webCopies.sendAgain(push, isRecorded ? null : registration)),
        copy("Fixture", "a fixtures file", () => copies.fixture(push, registration), unknown),
    ];
}

function head(push, { close, step, remove, app, text, port, registration }) {
    const { title, body } = summary(push);
    const [word, kind] = outcomeOf(push);
    const copy = (name, what, make, unable = false) => el("button", {
        class: "btn btn-small", type: "button", onclick: () => app.copyText(make(), what), recorded: true,
        disabled: Boolean(unable), title: unable,
    }, icon("copy"), name);
    const [send, fixture] = ownCopies(push, copy, { text, port, registration, isRecorded: app.isRecorded });
    return el("header", { class: "detail-head" },
        el("div", { class: "spread" },
            tool({ class: "btn btn-quiet btn-small detail-back", onclick: close }, icon("back"), "Pushes"),
            el("span", { class: "faint small tabular" },
                `#${push.sequence} · ${moment(push.receivedAt)}`),
            el("span", { class: "detail-tools" },
                tool({ class: "btn btn-quiet btn-icon", "aria-label": "Newer push", title: "Newer (k)",
                    onclick: () => step(-1) }, icon("up")),
                tool({ class: "btn btn-quiet btn-icon", "aria-label": "Older push", title: "Older (j)",
                    onclick: () => step(1) }, icon("down")),
                tool({ class: "btn btn-quiet btn-icon detail-close", "aria-label": "Close", title: "Close (Esc)",
                    onclick: close }, icon("close")))),
        el("h1", { class: "detail-title", dir: "auto", tabindex: "-1" }, title),
        body && el("p", { class: "detail-body muted", dir: "auto" }, body),
        el("div", { class: "row" },
            el("span", { class: `chip chip-${kind}` }, word),
            push.topic && el("span", { class: "chip" }, push.topic),
            push.device && el("a", {
                class: "chip", href: `#/devices/${encodeURIComponent(push.device)}`, title: push.device,
            }, deviceName(push)),
            push.scope && el("span", { class: "chip" }, `scope ${push.scope}`)),
        el("div", { class: "row", recorded: false },
            sendAgain(push),
            el("button", {
                class: "btn btn-small", type: "button", onclick: () => remove(push.sequence),
            }, icon("trash"), "Remove…")),
        el("div", { class: "row detail-copies", role: "group", "aria-label": "Copy this push" },
            send,
            copy("Expectation", "an expectation", () => copies.expectation(push)),
            copy("mynah expect", "a command", () => copies.expectCommand(push)),
            fixture,
            copy("Link", "a link to this push", () => `${location.origin}/#/pushes/${push.sequence}`)));
}

/** The details of a push, kept up to date; `step(±1)` leads to its neighbours in the list. */
export function makeDetail(app, { close, step, remove }) {
    const element = el("article", { class: "detail", "aria-label": "Push", "aria-live": "off" });
    let sequence = null;
    let abort = new AbortController();

    async function load(number, { isNew }) {
        abort.abort();
        const own = abort = new AbortController();
        const options = { signal: own.signal };
        try {
            const [text, status] = await Promise.all([
                app.api.text(`/v1/notifications/${number}`, options), app.api.get("/v1/status", options)]);
            const push = JSON.parse(text);
            const registration = await webAppOf(push, options);
            if (own.signal.aborted) return;
            show(push, text, status, isNew, registration);
        } catch (error) {
            if (own.signal.aborted) return;
            fill(element, el("div", { class: "empty" }, el("h2", {}, `Push ${number} is not in the journal`),
                el("p", {}, error.message),
                el("p", { class: "empty-actions" },
                    tool({ class: "btn", onclick: close }, "Back to the list"))));
        }
    }

    /** The web app that a web push went to; null for any other push, and where it isn't there any more. */
    async function webAppOf(push, options) {
        if (push.kind !== "webPush" || push.token === null) return null;
        const { token } = push;
        const { items } = await app.api.get("/v1/devices", { query: { token }, ...options });
        return items.flatMap((device) => device.registrations).find((one) => one.token === token) ?? null;
    }

    function show(push, text, status, isNew, registration) {
        const raw = copies.payloadText(text, push);
        const position = element.scrollTop;
        fill(element,
            head(push, { close, step, remove, app, text: raw, port: status.ports.apns[0], registration }),
            refusal(push),
            webPushNotes(push),
            push.warnings.length > 0 && el("ul", { class: "warnings", "aria-label": "Warnings" },
                push.warnings.map((warning) => el("li", { class: "notice" }, icon("faults"), warning))),
            el("div", { class: "detail-grid" },
                el("div", { class: "detail-column" }, screenCard(push, app, section), payload(push, raw, app),
                    push.webPush && webPush(push)),
                el("div", { class: "detail-column" }, answer(push), timeline(push), request(push))));
        element.setAttribute("aria-label", `Push ${push.sequence}: ${summary(push).title}, ${bytes(push.payloadSize)}`);
        element.scrollTop = isNew ? 0 : position;
        // On a narrow screen the list is hidden, and the focus that it had is lost.
        if (isNew && document.activeElement === document.body) {
            element.querySelector("h1").focus({ preventScroll: true });
        }
    }

    return {
        element,
        get sequence() { return sequence; },
        open(number) {
            const isNew = number !== sequence;
            sequence = number;
            load(number, { isNew });
        },
        /** After an event about this push, loads it again as text, because the payload's own text is shown. */
        note({ type, data }) {
            if (sequence === null) return;
            const isAny = type === "gap" || type === "news";
            if (isAny || (type === "outcome" && data.sequence === sequence)) load(sequence, { isNew: false });
        },
        clear() {
            abort.abort();
            sequence = null;
            fill(element);
        },
    };
}
