// Scenarios: scripts that add and remove fault rules.
import { el } from "../core/dom.js";
import { reconcile, refill } from "./refill.js";
import { jsonEditor } from "./json-editor.js";
import { advice, attempt, button, chip, empty, fold, sentence } from "./parts.js";
import { count, localTime, part } from "./words.js";

const example = {
    name: "brown-out", description: "APNs slows down, refuses, and comes back.",
    steps: [
        { after: "0s", add: [{ id: "slow", action: { type: "pass", delay: "1s" } }] },
        { after: "30s", remove: ["slow"],
            add: [{ id: "down", action: { type: "respond", status: 503, reason: "ServiceUnavailable" } }] },
        { after: "90s", remove: ["down"] },
    ],
};

/** The running scenarios, then the other built-in ones, which a recorded run can't start. */
export async function readScenarios(app, signal) {
    const [running, shipped] = await Promise.all([
        app.api.get("/v1/scenarios", { signal }),
        app.isRecorded ? { items: [] } : app.api.get("/v1/scenarios", { query: { shipped: "true" }, signal }),
    ]);
    const names = new Set(running.items.filter((one) => !one.scope).map((one) => one.name));
    return [...running.items, ...shipped.items.filter((one) => !names.has(one.name))];
}

/** The list, and an editor for a new scenario; `during(action)` makes a change. */
export function scenarioList(app, during) {
    const list = el("ul", { class: "v-rules", "aria-label": "Scenarios" });
    const nothing = el("div", {});
    const editor = jsonEditor("A scenario as JSON", { rows: 18 });
    editor.text = JSON.stringify(example, null, 2);
    const start = button("Start scenario", async () => {
        const value = editor.read();
        if (value === undefined) return;
        try {
            await during(() => app.api.post("/v1/scenarios", value));
            app.toast(`${value.name} has started.`);
        } catch (error) {
            editor.fault(error.problem?.field, sentence(error));
        }
    }, { kind: "primary" });
    const node = el("div", { class: "stack" }, nothing, list,
        fold("Write your own", el("div", { class: "stack-s", recorded: false }, editor, el("div", { class: "row" }, start))));
    node.set = (scenarios) => {
        refill(nothing, scenarios.length > 0 ? [] : empty(
            "No scenarios",
            "A scenario adds and removes rules over time or by the number of pushes.",
            advice("Write one below, or start the server with --scenario FILE.")));
        reconcile(list, scenarios, (one) => `${one.name}@${one.scope ?? ""}`, (one) => makeRow(app, one, during),
            (row, one) => row.show(one));
    };
    return node;
}

function makeRow(app, { name, scope }, during) {
    let isRunning = false;
    const title = el("strong", {}, name);
    const state = el("span", {});
    const text = el("p", { class: "muted" });
    const now = el("div", { class: "v-rule-words" });
    const steps = el("ol", { class: "v-steps" });
    const control = button("Start", act, { kind: "small" });
    const row = el("li", { class: "panel v-rule", "data-scenario": name },
        el("div", { class: "v-rule-text" }, el("div", { class: "row" }, title, state), text, now, fold("Steps", steps)),
        el("div", { class: "v-ends" }, control));

    async function act() {
        const wasRunning = isRunning;
        const change = () => (wasRunning
            ? app.api.delete(`/v1/scenarios/${part(name)}`, { query: scope ? { scope } : {} }) : app.api.post("/v1/scenarios", { name }));
        const done = await during(() => attempt(app, change));
        if (done !== undefined) app.toast(wasRunning ? `${name} has stopped.` : `${name} has started.`);
    }

    row.show = (one) => {
        isRunning = typeof one.startedAt === "string";
        text.textContent = one.description ?? "";
        refill(state, [
            isRunning ? chip(`${one.stepsDone} of ${count(one.steps.length, "step")}`, "good") : null,
            scope ? chip(`scope ${scope}`) : null,
        ]);
        refill(now, isRunning ? progress(one) : []);
        control.textContent = isRunning ? "Stop" : "Start";
        control.setAttribute("aria-label", `${isRunning ? "Stop" : "Start"} ${name}`);
        refill(steps, one.steps.map((step) => el("li", {}, stepWords(step))));
    };
    return row;
}

/** The rules that a running scenario has added, what it waits for, and its problem. */
function progress({ next, rules, problem }) {
    let waits = null;
    if (next) waits = next.at ? `next at ${localTime(next.at)}` : `next in ${count(next.pushesLeft, "push", "pushes")}`;
    return [
        rules.map((id) => chip(id, "info")), waits ? el("span", { class: "muted" }, waits) : null,
        problem ? el("span", { class: "is-bad" }, problem) : null,
    ];
}

function stepWords(step) {
    const after = typeof step.after === "object"
        ? `after ${count(step.after.pushes, "push", "pushes")}` : `after ${step.after}`;
    const parts = [
        ...(step.remove ?? []).map((id) => `${id} goes`),
        ...(step.add ?? []).map((rule) => `${rule.name ?? rule.id ?? "a rule"}: ${rule.words.does.join("; ")}`),
    ];
    return `${after}: ${parts.join("; ")}`;
}
