// The list of fault rules with their counters.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./refill.js";
import { advice, attempt, button, chip, command, empty, toggle } from "./parts.js";
import { part } from "./words.js";

/** The list; `set(rules)` updates it, `during(action)` makes a change. */
export function ruleList(app, during) {
    const list = el("ul", { class: "v-rules", "aria-label": "Fault rules" });
    const nothing = el("div", {});
    const node = el("div", {}, nothing, list);
    node.set = (rules) => {
        refill(nothing, rules.length > 0 ? [] : empty(
            "No fault rules",
            advice("Add a rule to change how matching pushes are answered, delayed, cut off or lost. Its firings are "
                + "counted here and noted with each push in the journal."),
            command(app, "mynah fault add 503 --times 3")));
        reconcile(list, rules, (rule) => rule.id, (rule) => makeRow(app, rule.id, during),
            (row, rule) => row.show(rule));
    };
    return node;
}

function makeRow(app, id, during) {
    const path = `/v1/faults/${part(id)}`;
    const enabled = toggle("Enabled", async (isOn) => {
        await during(() => attempt(app, () => app.api.patch(path, { enabled: isOn })));
    }, { name: `Rule ${id} is enabled` });
    const title = el("strong", {});
    const words = el("div", { class: "v-rule-words" });
    const counters = el("dl", { class: "v-counters" });
    const remove = button("Remove", async () => {
        const done = await during(() => attempt(app, () => app.api.delete(path)));
        if (done !== undefined) app.toast(`Rule ${id} was removed.`);
    }, { kind: "small", name: `Remove rule ${id}` });
    const row = el("li", { class: "panel v-rule", "data-rule": id },
        enabled, el("div", { class: "v-rule-text" }, title, words), counters,
        el("div", { class: "v-ends" },
            el("a", {
                class: "btn btn-small", href: `#/faults/+edit/${part(id)}`, "aria-label": `Edit rule ${id}`,
                recorded: false,
            }, "Edit"),
            remove));

    row.show = (rule) => {
        enabled.set(rule.enabled);
        row.classList.toggle("v-off", !rule.enabled);
        const { does, matches, fires } = rule.words;
        title.textContent = rule.name || capital(does[0]);
        refill(words,
            rule.name || does.length > 1 ? el("span", { class: "muted" }, does.join("; ")) : null,
            matches.map((text) => chip(text, "info")), fires.map((text) => chip(text)),
            el("code", { class: "faint" }, rule.id));
        refill(counters, counter("matched", rule.matched), counter("fired", rule.fired),
            rule.remaining === null ? null : counter("left", rule.remaining));
    };
    return row;
}

function counter(name, value) {
    return el("div", {}, el("dt", {}, name), el("dd", {}, value.toLocaleString("en-US")));
}

function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}
