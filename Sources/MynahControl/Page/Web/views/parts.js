// Small pieces that the views share.
import { el, isWithheld } from "../core/dom.js";
import { uniqueId } from "./refill.js";
import { appName, hueOf } from "./words.js";

const buttonClasses = {
    plain: "", primary: "btn-primary", danger: "btn-danger", quiet: "btn-quiet btn-small", small: "btn-small",
};

/** A button; `name` is its accessible name if the label alone is ambiguous; `recorded` is that of `el`. */
export function button(label, onClick, { kind = "plain", title, name, recorded } = {}) {
    return el("button",
        { type: "button", class: `btn ${buttonClasses[kind]}`, title, "aria-label": name, onClick, recorded }, label);
}

/** A button that asks for confirmation; `question()` returns the title, text and action of the dialog. */
export function confirmButton(app, label, question, action, options = { kind: "danger" }) {
    return button(label, async () => {
        const { title, text, word } = question();
        if (await app.confirm(title, text, { action: word })) action();
    }, options);
}

/** A button that copies a text, or what `text()` returns; `what` names it. */
export function copyButton(app, text, what, label = "Copy") {
    return button(label, () => app.copyText(typeof text === "function" ? text() : text, what),
        { kind: "quiet", name: `Copy ${what}`, recorded: true });
}

/** Saves a text, or the parts of one, as a file. */
export function download(name, content, type = "application/x-pem-file") {
    const url = URL.createObjectURL(new Blob([content].flat(), { type }));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A switch; `change(isOn)` is called when the user turns it. */
export function toggle(label, change, { name } = {}) {
    const input = el("input",
        { type: "checkbox", role: "switch", "aria-label": name, onChange: () => change(input.checked) });
    const node = el("label", { class: "switch" }, input, name ? null : el("span", {}, label));
    node.set = (isOn) => (input.checked = isOn);
    node.input = input;
    return node;
}

/** A choice among a few words. */
export function choice(label, options, change) {
    const group = uniqueId("choice");
    const inputs = new Map();
    const node = el("fieldset", { class: "v-choice" }, el("legend", {}, label));
    for (const [value, title] of options) {
        const input = el("input", { type: "radio", name: group, value: String(value), onChange: () => change(value) });
        inputs.set(value, input);
        node.append(el("label", {}, input, el("span", {}, title)));
    }
    node.set = (value) => inputs.forEach((input, name) => (input.checked = name === value));
    return node;
}

/** A labelled list to choose from; `recorded` is that of `el`. */
export function select(label, options, change = () => {}, { recorded } = {}) {
    const id = uniqueId("select");
    const input = el("select", { id, class: "select", onChange: () => change(input.value), recorded },
        options.map(option));
    const node = el("div", { class: "field" }, el("label", { for: id }, label), input);
    node.input = input;
    node.set = (value) => (input.value = value);
    return node;
}

/** An option of a list: a text, or a value and its title. */
export function option(one) {
    const [value, title] = Array.isArray(one) ? one : [one, one];
    return el("option", { value }, title);
}

/** A labelled text field with a place for its error. */
export function field(label, attributes = {}, hint) {
    const id = uniqueId("field");
    const { rows, ...rest } = attributes;
    const note = el("p", { class: "field-hint", id: `${id}-note` }, hint ?? "");
    const tag = rows ? "textarea" : "input";
    const input = el(tag, {
        id, class: rows ? "textarea" : "input", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
        "aria-describedby": note.id, rows, ...rest,
    });
    const node = el("div", { class: "field" }, el("label", { for: id }, label), input, note);
    node.input = input;
    /** Shows the field's error, or removes it. */
    node.fault = (text) => {
        note.textContent = text ?? hint ?? "";
        note.className = text ? "field-error" : "field-hint";
        if (text) input.setAttribute("aria-invalid", "true");
        else input.removeAttribute("aria-invalid");
    };
    return node;
}

/** A collapsible section; without anything in it, a recorded run lacks it. */
export function fold(title, ...children) {
    const recorded = children.every(isWithheld) ? false : undefined;
    return el("details", { class: "v-fold", recorded }, el("summary", {}, title), ...children);
}

/** A chip: plain, good, warn, bad, info. */
export function chip(text, kind = "plain", title) {
    return el("span", { class: `chip chip-${kind}`, title }, text);
}

/** A placeholder for an empty view, with what to know or to do next. */
export function empty(title, ...more) {
    return el("div", { class: "empty v-empty" }, el("h2", {}, title),
        more.map((part) => (typeof part === "string" ? el("p", {}, part) : part)));
}

/** A sentence about what to do next on a server that runs. */
export function advice(...text) {
    return el("p", { recorded: false }, text);
}

/** A line for a terminal that changes a server that runs, with a button that copies it. */
export function command(app, text) {
    return el("div", { class: "v-command", recorded: false },
        el("code", {}, text), copyButton(app, text, "the command"));
}

/** The names of a table's columns; the last one is for buttons, and named for screen readers alone. */
export function tableHead(titles, last, numeric = []) {
    const heads = titles.map(
        (title) => el("th", { scope: "col", class: numeric.includes(title) ? "num" : null }, title));
    const unseen = last ? el("th", { scope: "col" }, el("span", { class: "visually-hidden" }, last)) : null;
    return el("thead", {}, el("tr", {}, heads, unseen));
}

/** The head of a view: its title, then buttons. */
export function head(title, ...more) {
    return el("header", { class: "view-head" }, el("h1", { class: "grow" }, title), more);
}

/** The icon of an app, drawn from its topic, with the number that is on it. */
export function appIcon(topic, registration, badge) {
    const name = appName(topic, registration);
    return el(
        "span", { class: `v-icon v-hue-${hueOf(topic)}`, "aria-hidden": badge ? null : "true",
            role: badge ? "img" : null,
            "aria-label": badge ? `${name}, badge ${badge}` : null },
        [...name][0]?.toUpperCase() ?? "?",
        badge ? el("span", { class: "v-badge" }, badge > 9999 ? "9999+" : String(badge)) : null,
    );
}

/** A call's error as a sentence. */
export function sentence(error) {
    const problem = error?.problem;
    if (problem?.detail) return problem.detail;
    if (error?.status) return `The server answered ${error.status}.`;
    return error instanceof TypeError ? "The server cannot be reached." : String(error?.message ?? error);
}

/** Whether the server lacks the endpoint of a call. */
export function isAbsent(error) {
    return error?.status === 404 || error?.status === 405 || error?.status === 501;
}

/** Runs an action and shows its error; returns its result, or undefined. */
export async function attempt(app, action) {
    try {
        return await action();
    } catch (error) {
        app.toast(sentence(error), { kind: "error" });
        return undefined;
    }
}

/**
 * A form with its own button; an error is shown at the field that it names, or else under the form.
 *
 * In a recorded run it is there if it only reads, `recorded`, or, without its button, if its fields show something,
 * `shows`.
 */
export function form(fields, label, send, { more = [], recorded, shows = false } = {}) {
    const note = el("p", { class: "field-error", role: "alert" });
    const submit = el("button", { type: "submit", class: "btn btn-primary", recorded }, label);
    const node = el("form", { class: "v-form", onSubmit: submitted, recorded: shows || recorded },
        fields.map((entry) => entry.field ?? entry), note, el("div", { class: "row" }, submit, more));
    async function submitted(event) {
        event.preventDefault();
        note.textContent = "";
        fields.forEach((entry) => entry.field?.fault?.());
        submit.disabled = true;
        try {
            await send();
        } catch (error) {
            show(error);
        }
        submit.disabled = false;
    }
    /** Shows an error at its field. */
    function show(error) {
        const pointer = error?.problem?.field;
        const place = fields.find((entry) => entry.pointer && pointer && !entry.field.hidden
            && (pointer === entry.pointer || pointer.startsWith(`${entry.pointer}/`)));
        if (place?.field.fault) {
            place.field.fault(sentence(error));
            place.field.input.focus();
        } else {
            note.textContent = sentence(error);
        }
    }
    node.fault = show;
    return node;
}
