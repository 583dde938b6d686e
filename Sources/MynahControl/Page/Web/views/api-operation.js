// A form that tries an operation of the control API, and shows its answer.
import { el, fill } from "../core/dom.js";
import { shellWord } from "../core/format.js";
import { jsonBlock } from "../core/json.js";
import { jsonEditor } from "./json-editor.js";
import { chip, copyButton, field, form } from "./parts.js";

/** The most characters of an answer that are shown. */
const shownMax = 100_000;
const streamType = "text/event-stream";

/** The schema that a reference leads to. */
function resolved(description, schema) {
    const name = /^#\/components\/schemas\/(.+)$/.exec(schema?.$ref ?? "")?.[1];
    return name ? resolved(description, description.components.schemas[name]) : schema ?? {};
}

function hintOf(description, parameter) {
    const { type, enum: choices, default: standard } = resolved(description, parameter.schema);
    return [
        parameter.description,
        type === "object" ? "One key=value on each line." : type === "array" ? "One value on each line." : "",
        choices ? `One of ${choices.join(", ")}.` : "", standard === undefined ? "" : `By default ${standard}.`,
    ].filter(Boolean).join(" ");
}

/** The elements of an operation's form. */
export function operationForm(app, description, { method, path, operation }) {
    const recorded = operation["x-recorded"] === true;
    const parameters = operation.parameters ?? [];
    const inputs = parameters.map((parameter) => {
        const { type } = resolved(description, parameter.schema);
        const line = field(parameter.name, {
            recorded, required: parameter.required, ...(type === "array" || type === "object" ? { rows: 2 } : {}),
        }, hintOf(description, parameter));
        return { parameter, type, field: line, pointer: parameter.name };
    });
    const body = operation.requestBody?.content["application/json"];
    const editor = body ? jsonEditor("Body", { rows: 8, recorded }) : null;
    if (editor) editor.text = JSON.stringify(body.example ?? {}, null, 2);
    const types = Object.values(operation.responses).flatMap((one) => Object.keys(one.content ?? {}));
    const isStream = types.includes(streamType);
    const command = el("code", { class: "grow break" });
    const answer = el("div", { class: "stack-s", role: "status" });

    function target() {
        let filled = path;
        const query = new URLSearchParams();
        const headers = {};
        for (const { parameter, type, field: line } of inputs) {
            const text = line.input.value;
            if (parameter.in === "path") {
                filled = filled.replace(`{${parameter.name}}`, encodeURIComponent(text.trim()));
            } else if (parameter.in === "header") {
                if (text.trim()) headers[parameter.name] = text.trim();
            } else if (type === "object" || type === "array") {
                for (const one of text.split("\n").map((each) => each.trim()).filter(Boolean)) {
                    const pair = type === "object" ? /^([^=]*)=?(.*)$/.exec(one).slice(1) : [parameter.name, one];
                    query.append(...pair);
                }
            } else if (text.trim()) {
                query.append(parameter.name, text.trim());
            }
        }
        const rest = query.toString();
        return { address: rest ? `${filled}?${rest}` : filled, headers };
    }

    function commandText() {
        const { address, headers } = target();
        const words = ["curl", isStream ? "-sN" : "-s"];
        if (method !== "GET") words.push("-X", method);
        for (const [name, value] of Object.entries(headers)) words.push("-H", shellWord(`${name}: ${value}`));
        if (editor && editor.text.trim()) words.push("-d", shellWord(editor.text));
        return [...words, shellWord(location.origin + address)].join(" ");
    }

    async function send() {
        const isEmpty = editor && !editor.text.trim();
        const value = editor && !isEmpty ? editor.read() : undefined;
        if (editor && !isEmpty && value === undefined) return;
        const { address, headers } = target();
        const isSure = method !== "DELETE"
            || await app.confirm("Send this DELETE?", `${method} ${address}`, { action: "Send" });
        if (!isSure) return;
        try {
            const response = await app.api.send(method, address, { body: value, headers });
            show(response.status, response.headers.get("content-type") ?? "", await response.text());
        } catch (error) {
            if (error.status === undefined) throw error;
            show(error.status, "application/problem+json", JSON.stringify(error.problem));
            throw error;
        }
    }

    function show(status, type, text) {
        const shown = text.slice(0, shownMax);
        fill(answer,
            el("div", { class: "row" }, chip(status, status < 300 ? "good" : "bad"),
                el("span", { class: "muted" }, type), copyButton(app, text, "the answer")),
            text ? /json/.test(type) && !/ndjson/.test(type) ? jsonBlock(shown, "Answer")
                : el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "Answer" }, shown) : null,
            shown.length < text.length
                ? el("p", { class: "field-hint" }, `The first ${shownMax.toLocaleString("en-US")} characters.`) : null);
    }

    const sheet = form([...inputs, ...(editor ? [editor] : [])], `Send ${method}`, send, { recorded });
    const showCommand = () => (command.textContent = commandText());
    sheet.addEventListener("input", showCommand);
    showCommand();
    if (isStream) sheet.querySelector("[type=submit]").hidden = true;
    return [
        operation.description ? el("p", { class: "v-lead" }, operation.description) : null,
        sheet,
        app.isRecorded && !recorded ? el("p", { class: "field-hint" }, "A recorded run refuses this call.") : null,
        isStream ? el("p", { class: "field-hint" }, "A stream of events, for a terminal:") : null,
        el("div", { class: "v-command" }, command, copyButton(app, () => commandText(), "the command")),
        answer,
    ].filter(Boolean);
}
