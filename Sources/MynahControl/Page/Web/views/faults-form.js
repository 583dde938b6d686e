// A rule as a form: a new one from a preset, or one that is changed. Its fields write JSON, which can be edited too.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { presetGroups } from "../made/presets.js";
import { fieldsOf, presetNamed, valueAt, withValue } from "./faults-fields.js";
import { jsonEditor } from "./json-editor.js";
import { field, select, sentence, toggle } from "./parts.js";
import { part } from "./words.js";

/** Set by the server, so not editable. */
const servers = ["id", "matched", "fired", "remaining", "createdAt", "words", "timedOut"];
/** What a rule has without being told. */
const defaults = { enabled: true, rulePriority: 0, skip: 0, every: 1, probability: 1, then: "pass" };
const matchFields = [
    { pointer: "/match/topic", label: "Topic", placeholder: "any" },
    { pointer: "/match/token/prefix", label: "Token begins with", placeholder: "any" },
    { pointer: "/match/device", label: "Device", placeholder: "any" },
];
const scheduleFields = [
    { pointer: "/times", label: "Maximum number of times", isNumber: true, placeholder: "no limit" },
    { pointer: "/skip", label: "Skip the first pushes", isNumber: true, placeholder: "0" },
    { pointer: "/every", label: "Only every nth push", isNumber: true, placeholder: "1" },
    { pointer: "/probability", label: "Probability", isNumber: true, placeholder: "1", step: "any" },
    { pointer: "/scope", label: "Scope", placeholder: "all" },
    { pointer: "/name", label: "Description", placeholder: "" },
];

/** The fields of a rule beside its JSON; `send(rule)` is called with what the JSON says. */
function ruleSheet(label, action, send) {
    let rule = {};
    let inputs = [];
    const editor = jsonEditor("The rule as JSON", { rows: 16, changed: () => { hand.hidden = false; } });
    const hand = el("p", { class: "field-hint", hidden: true }, `Edited by hand: this text is what will be ${action}. `
        + "Changing a field above overwrites it.");
    const first = el("div", { class: "stack" });
    const own = el("div", { class: "v-fields" });
    const which = el("div", { class: "v-fields" });
    const when = el("div", { class: "v-fields" });
    const whichSection = el("section", { class: "stack-s" }, el("h2", {}, "Which pushes"), which);
    const submit = el("button", { type: "submit", class: "btn btn-primary" }, label);
    const node = el("form", { class: "v-rule-form", novalidate: true, onSubmit: submitted },
        el("div", { class: "stack" }, first, own, whichSection,
            el("section", { class: "stack-s" }, el("h2", {}, "When"), when),
            el("div", { class: "row" }, submit, el("a", { class: "btn", href: "#/faults" }, "Cancel"))),
        el("div", { class: "stack-s" }, editor, hand));

    function entry(one) {
        const { pointer, label: name, hint, isNumber, ...attributes } = one;
        const type = isNumber ? { type: "number" } : {};
        const line = field(name, { ...type, ...attributes, onInput: () => change(one, line) }, hint);
        const value = valueAt(rule, pointer);
        if (value !== undefined) line.input.value = String(value);
        inputs.push({ pointer, line });
        return line;
    }

    function change({ pointer, isNumber }, line) {
        const text = line.input.value.trim();
        line.fault();
        // A matcher without text is removed.
        const whole = pointer.startsWith("/match/") && text === "" ? pointer.split("/").slice(0, 3).join("/") : pointer;
        set(whole, text === "" ? undefined : isNumber ? Number(text) : text);
    }

    function set(pointer, value) {
        rule = withValue(rule, pointer, value);
        if (rule.match && Object.keys(rule.match).length === 0) delete rule.match;
        write();
    }

    function write() {
        editor.text = JSON.stringify(rule, null, 2);
        hand.hidden = true;
    }

    async function submitted(event) {
        event.preventDefault();
        inputs.forEach(({ line }) => line.fault());
        const value = editor.read();
        if (value === undefined) return;
        submit.disabled = true;
        try {
            await send(value);
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

    return {
        node, first, set,
        /** Fills the fields, of which those of the action are given; a matcher of another form is in the JSON alone. */
        show(next, ownFields) {
            rule = next;
            inputs = [];
            const event = rule.match?.event;
            const isOfPushes = event === undefined || event === "request";
            const hasField = ({ pointer }) => {
                const [filter, operator] = pointer.split("/").slice(2);
                const matcher = rule.match?.[filter];
                if (matcher === undefined || operator === undefined) return typeof matcher !== "object";
                return Object.keys(matcher).join() === operator;
            };
            refill(own, ownFields.map(entry));
            // A connection has no topic and no token yet.
            whichSection.hidden = !isOfPushes;
            which.replaceChildren(...(isOfPushes ? matchFields.filter(hasField).map(entry) : []));
            when.replaceChildren(...scheduleFields.filter((one) => isOfPushes || one.pointer !== "/scope").map(entry));
            write();
        },
    };
}

/** The form for a new rule; `done()` is called when the server has it. */
export function newRuleForm(app, done) {
    const sheet = ruleSheet("Add rule", "added", async (rule) => done(await app.api.post("/v1/faults", rule)));
    const preset = select("Fault", [], choose);
    preset.input.append(...presetGroups.map(({ label, presets }) => el("optgroup", { label },
        presets.map((one) => el("option", { value: one.name }, one.label)))));
    sheet.first.append(preset);

    function choose(name) {
        const { rule, fields } = presetNamed(name);
        sheet.show(structuredClone(rule), fields);
    }

    const first = presetGroups[0].presets[0].name;
    choose(first);
    preset.set(first);
    return sheet.node;
}

/** A rule without what the server sets and what it would have anyway. */
function brief(rule) {
    const { match, ...rest } = rule;
    const { event, ...filters } = match ?? {};
    const all = event === undefined || event === "request" ? filters : { event, ...filters };
    const kept = Object.entries(rest).filter(
        ([name, value]) => !servers.includes(name) && value !== null && value !== defaults[name]);
    return { ...(Object.keys(all).length > 0 ? { match: all } : {}), ...Object.fromEntries(kept) };
}

/** The members that differ, with null for those that are gone. */
function changes(before, after) {
    const differing = [...new Set([...Object.keys(before), ...Object.keys(after)])]
        .filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
    return Object.fromEntries(differing.map((name) => [name, after[name] ?? null]));
}

/** The form that changes a rule; it sends only what has changed, so that the counters continue. */
export function editRuleForm(app, rule, done) {
    const before = brief(rule);
    const sheet = ruleSheet("Save", "saved", async (after) => {
        const changed = changes(before, after);
        if (changed.match !== undefined) changed.match = changes(before.match ?? {}, after.match ?? {});
        // One of the two replaces the other.
        for (const [one, other] of [["action", "actions"], ["actions", "action"]]) {
            if (changed[one] === null && changed[other]) delete changed[one];
        }
        done(Object.keys(changed).length > 0 ? await app.api.patch(`/v1/faults/${part(rule.id)}`, changed) : rule);
    });
    const enabled = toggle("Enabled", (isOn) => sheet.set("/enabled", isOn ? undefined : false));
    enabled.set(rule.enabled);
    sheet.first.append(el("h2", {}, "Rule ", el("code", {}, rule.id)), enabled,
        el("p", { class: "field-hint" }, "Its counters continue."));
    sheet.show(before, rule.action ? fieldsOf(rule.action) : []);
    return sheet.node;
}
