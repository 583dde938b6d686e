// Faults, scenarios and magic tokens.
import { el } from "../core/dom.js";
import { refill } from "./refill.js";
import { editRuleForm, newRuleForm } from "./faults-form.js";
import { ruleList } from "./faults-rules.js";
import { readScenarios, scenarioList } from "./faults-scenarios.js";
import { tokenTable } from "./faults-tokens.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { live } from "../core/live.js";
import { attempt, confirmButton, empty, head, isAbsent, sentence } from "./parts.js";
import { count, part } from "./words.js";

const parts = [["rules", "Rules"], ["scenarios", "Scenarios"], ["magic-tokens", "Magic tokens"]];
/** Counters change with every push, but not every change has an event. */
const pace = 2000;
const listed = 1000;

function mount(root, app) {
    const tabs = el("nav", { class: "v-tabs", "aria-label": "Kinds of faults" });
    const clear = confirmButton(app, "Remove all", () => ({
        title: "Remove all rules?", text: "All pushes will be answered as APNs would answer them.", word: "Remove all",
    }), async () => {
        const done = await during(() => attempt(app, () => app.api.delete("/v1/faults")));
        if (done !== undefined) app.toast("All rules were removed.");
    });
    const add = el("a", { class: "btn btn-primary", href: "#/faults/+new", recorded: false }, "Add rule");
    const body = el("div", { class: "view-body" });
    root.append(head("Faults", tabs, el("span", { class: "grow" }), clear, add), body);
    root.querySelector("h1").classList.remove("grow");

    let shown = null;
    const during = (action) => shown.during(action);
    const items = async (path, options) => (await app.api.get(path, options)).items;

    /** Shows a list that is kept up to date. */
    function keep(path, list, read, isRules) {
        const note = el("div", {});
        body.replaceChildren(el("div", { class: "v-single stack" }, note, list));
        list.hidden = true;
        shown = live(app, {
            every: pace,
            concerns: (event) => event.type === "fault",
            async refresh(signal) {
                const items = await read(signal);
                refill(note);
                list.hidden = false;
                list.set(items);
                if (isRules) clear.hidden = items.length === 0;
            },
            failed: (error) => {
                list.hidden = true;
                clear.hidden = true;
                refill(note, isAbsent(error)
                    ? empty("Not supported by this server",
                        `It has no ${path}: another version of mynah does.`)
                    : empty("They can't be loaded", sentence(error)));
            },
        });
    }

    async function edit(id) {
        const { route } = app;
        let form;
        try {
            const rule = await app.api.get(`/v1/faults/${part(id)}`);
            form = editRuleForm(app, rule, () => app.navigate("#/faults"));
        } catch (error) {
            form = empty(`No rule ${id}`, sentence(error), el("a", { href: "#/faults" }, "All rules"));
        }
        // The user may have left the view meanwhile.
        if (route === app.route) body.replaceChildren(form);
    }

    function show() {
        shown?.stop();
        shown = null;
        const [, place = "rules", id] = app.route;
        const tab = parts.some(([name]) => name === place) ? place : "rules";
        refill(tabs, parts.map(([name, title]) => el(
            "a", { href: name === "rules" ? "#/faults" : `#/faults/${name}`,
                "aria-current": name === tab ? "page" : null }, title)));
        clear.hidden = true;
        add.hidden = tab !== "rules" || place === "+new" || place === "+edit";
        body.scrollTop = 0;
        if (place === "+new") {
            body.replaceChildren(newRuleForm(app, (made) => {
                app.toast(`${count(made.items?.length ?? 1, "rule")} added.`);
                app.navigate("#/faults");
            }));
        } else if (place === "+edit") {
            edit(id ?? "");
        } else if (tab === "scenarios") {
            keep("/v1/scenarios", scenarioList(app, during), (signal) => readScenarios(app, signal));
        } else if (tab === "magic-tokens") {
            keep("/v1/magic-tokens", tokenTable(app), (signal) => items("/v1/magic-tokens", { signal }));
        } else {
            const query = { limit: listed };
            keep("/v1/faults", ruleList(app, during), (signal) => items("/v1/faults", { query, signal }), true);
        }
    }
    show();
    const endKeys = listKeys(root, ".v-rule, tbody tr");
    return {
        route: show,
        cleanup() {
            endKeys();
            shown?.stop();
        },
    };
}

export default { id: "faults", title: "Faults", shortcuts: listShortcuts, mount };
