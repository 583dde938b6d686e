// Scenarios: rules that come and go by a script.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./dom.js";
import { ruleWords } from "./faults-words.js";
import { jsonEditor } from "./json-editor.js";
import { attempt, button, chip, empty, fold, sentence } from "./parts.js";
import { count } from "./words.js";

const example = {
    name: "brown-out", description: "APNs slows down, refuses, and comes back.",
    steps: [
        { after: "0s", add: [{ id: "slow", action: { type: "pass", delay: "1s" } }] },
        { after: "30s", remove: ["slow"],
            add: [{ id: "down", action: { type: "respond", status: 503, reason: "ServiceUnavailable" } }] },
        { after: "90s", remove: ["down"] },
    ],
};

/** The list, and an editor for one of one's own; `changed()` is called after a change. */
export function scenarioList(app, changed) {
    const list = el("ul", { class: "v-rules", "aria-label": "Scenarios" });
    const nothing = el("div", {});
    const editor = jsonEditor("A scenario as JSON", { rows: 18 });
    editor.text = JSON.stringify(example, null, 2);
    const start = button("Start it", async () => {
        const value = editor.read();
        if (value === undefined) return;
        try {
            await app.api.post("/v1/scenarios", value);
            app.toast(`${value.name} has started.`);
        } catch (error) {
            editor.fault(error.problem?.field, sentence(error));
        }
        changed();
    }, { kind: "primary" });
    const node = el("div", { class: "stack" }, nothing, list,
        fold("Write one", editor, el("div", { class: "row" }, start)));
    node.set = (scenarios) => {
        refill(nothing, scenarios.length > 0 ? [] : empty(
            "No scenarios",
            "A scenario adds and removes rules as time passes or pushes come. Write one below, or start the server "
                + "with --scenario FILE."));
        reconcile(list, scenarios, (one) => one.name, (one) => makeRow(app, one.name, changed),
            (row, one) => row.show(one));
    };
    return node;
}

/** Whether a scenario runs now, and how far it is. */
function stateOf(one) {
    const isRunning = one.running === true || one.state === "running" || Boolean(one.startedAt && !one.endedAt);
    const done = one.stepsDone ?? one.doneCount ?? null;
    return { isRunning, done };
}

function makeRow(app, name, changed) {
    let shown = null;
    const title = el("strong", {}, name);
    const state = el("span", {});
    const text = el("p", { class: "muted" });
    const steps = el("ol", { class: "v-steps" });
    const control = button("Start", act, { kind: "small" });
    const row = el("li", { class: "panel v-rule", "data-scenario": name },
        el("div", { class: "v-rule-text" }, el("div", { class: "row" }, title, state), text, fold("Steps", steps)),
        el("div", { class: "v-ends" }, control));

    async function act() {
        const { isRunning } = stateOf(shown);
        const done = await attempt(app, async () => ({
            answer: isRunning
                ? await app.api.delete("/v1/scenarios", { query: { name } })
                : await app.api.post("/v1/scenarios", { name }),
        }));
        if (done) app.toast(isRunning ? `${name} has stopped.` : `${name} has started.`);
        changed();
    }

    row.show = (one) => {
        shown = one;
        const { isRunning, done } = stateOf(one);
        text.textContent = one.description ?? "";
        const progress = done === null ? "" : `, ${done} of ${count(one.steps.length, "step")}`;
        refill(state, isRunning ? chip(`running${progress}`, "good") : null);
        control.textContent = isRunning ? "Stop" : "Start";
        control.setAttribute("aria-label", `${isRunning ? "Stop" : "Start"} ${name}`);
        refill(steps, (one.steps ?? []).map((step) => el("li", {}, stepWords(step))));
    };
    return row;
}

function stepWords(step) {
    const after = typeof step.after === "object" ? `after ${count(step.after.pushes, "push", "pushes")}`
        : `after ${step.after}`;
    const parts = [
        ...(step.remove ?? []).map((id) => `${id} goes`),
        ...(step.add ?? []).map((rule) => `${rule.name ?? rule.id ?? "a rule"}: ${ruleWords(rule)}`),
    ];
    return `${after}: ${parts.join("; ")}`;
}
