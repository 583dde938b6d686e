// A new rule, from a preset and a few fields, or a rule changed as JSON.
import { el } from "../core/dom.js";
import { refill } from "./dom.js";
import { presetGroups, presetNamed, valueAt, withValue } from "./faults-presets.js";
import { jsonEditor } from "./json-editor.js";
import { button, field, select, sentence } from "./parts.js";
import { part } from "./words.js";

/** Set by the server, so not editable. */
const servers = ["matched", "fired", "remaining", "createdAt"];
const matchFields = [
    { pointer: "/match/topic", label: "Topic", placeholder: "any" },
    { pointer: "/match/token/prefix", label: "Token begins with", placeholder: "any" },
    { pointer: "/match/device", label: "Device", placeholder: "any" },
];
const scheduleFields = [
    { pointer: "/times", label: "Maximum number of times", type: "number", placeholder: "no limit" },
    { pointer: "/skip", label: "Skip the first pushes", type: "number", placeholder: "0" },
    { pointer: "/every", label: "Only every nth push", type: "number", placeholder: "1" },
    { pointer: "/probability", label: "Probability", type: "number", placeholder: "1", step: "any" },
    { pointer: "/scope", label: "Scope", placeholder: "all" },
    { pointer: "/name", label: "Description", placeholder: "" },
];

/** The form for a new rule; `done()` is called when the server has it. */
export function newRuleForm(app, done) {
    let rule = {};
    let inputs = [];
    const editor = jsonEditor("The rule as JSON", { rows: 16, changed: () => { hand.hidden = false; } });
    const hand = el("p", { class: "field-hint", hidden: true },
        "Edited by hand: this text is what will be added. Changing a field above overwrites it.");
    const preset = select("Fault", [], choose);
    preset.input.append(...presetGroups.map(([label, presets]) => el("optgroup", { label },
        presets.map((one) => el("option", { value: one.name }, one.label)))));
    const own = el("div", { class: "v-fields" });
    const which = el("div", { class: "v-fields" });
    const when = el("div", { class: "v-fields" });
    const whichSection = el("section", { class: "stack-s" }, el("h3", {}, "Which pushes"), which);
    const submit = el("button", { type: "submit", class: "btn btn-primary" }, "Add rule");
    const node = el("form", { class: "v-rule-form", novalidate: true, onSubmit: send },
        el("div", { class: "stack" }, preset, own, whichSection,
            el("section", { class: "stack-s" }, el("h3", {}, "When"), when),
            el("div", { class: "row" }, submit, el("a", { class: "btn", href: "#/faults" }, "Cancel"))),
        el("div", { class: "stack-s" }, editor, hand));

    function choose(name) {
        const chosen = presetNamed(name);
        rule = { ...(chosen.event ? { match: { event: chosen.event } } : {}), action: { ...chosen.action } };
        inputs = [];
        refill(own, chosen.fields.map(entry));
        // A connection has no topic and no token yet.
        whichSection.hidden = chosen.event !== undefined;
        which.replaceChildren(...(chosen.event ? [] : matchFields.map(entry)));
        when.replaceChildren(...scheduleFields.filter((one) => !chosen.event || one.pointer !== "/scope").map(entry));
        write();
    }

    function entry(one) {
        const { pointer, label, ...attributes } = one;
        const line = field(label, { ...attributes, onInput: () => change(one, line) });
        const value = valueAt(rule, pointer);
        if (value !== undefined) line.input.value = String(value);
        inputs.push({ pointer, line });
        return line;
    }

    function change({ pointer, type }, line) {
        const text = line.input.value.trim();
        line.fault();
        // A matcher without text is removed.
        const whole = pointer.startsWith("/match/") && text === "" ? pointer.split("/").slice(0, 3).join("/") : pointer;
        rule = withValue(rule, whole, text === "" ? undefined : type === "number" ? Number(text) : text);
        if (rule.match && Object.keys(rule.match).length === 0) delete rule.match;
        write();
    }

    function write() {
        editor.text = JSON.stringify(rule, null, 2);
        hand.hidden = true;
    }

    async function send(event) {
        event.preventDefault();
        inputs.forEach(({ line }) => line.fault());
        const value = editor.read();
        if (value === undefined) return;
        submit.disabled = true;
        try {
            const made = await app.api.post("/v1/faults", value);
            done(made);
        } catch (error) {
            fault(error);
        }
        submit.disabled = false;
    }

    function fault(error) {
        const pointer = error.problem?.field;
        editor.fault(pointer, sentence(error));
        const place = inputs.find((one) => pointer
            && (pointer === one.pointer || one.pointer.startsWith(`${pointer}/`)));
        if (!place || !hand.hidden) return;
        place.line.fault(sentence(error));
        place.line.input.focus();
    }

    choose(presetGroups[0][1][0].name);
    preset.set(presetGroups[0][1][0].name);
    return node;
}

/** A rule as JSON, to be replaced. */
export function editRuleForm(app, rule, done) {
    const editor = jsonEditor(`Rule ${rule.id}`, { rows: 22 });
    editor.text = JSON.stringify(Object.fromEntries(Object.entries(rule).filter(([name]) => !servers.includes(name))),
        null, 2);
    async function save() {
        const value = editor.read();
        if (value === undefined) return;
        try {
            done(await app.api.put(`/v1/faults/${part(rule.id)}`, value));
        } catch (error) {
            editor.fault(error.problem?.field, sentence(error));
        }
    }
    return el("div", { class: "stack v-single" }, editor,
        el("p", { class: "field-hint" }, "A replaced rule becomes the newest, and its counters start at zero."),
        el("div", { class: "row" }, button("Replace rule", save, { kind: "primary" }),
            el("a", { class: "btn", href: "#/faults" }, "Cancel")));
}
