// The operations of the control API by their tags, from the server's own description, each with a form to try it.
import { el } from "../core/dom.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { operationForm } from "./api-operation.js";
import { refill } from "./refill.js";
import { chip, empty, head, sentence } from "./parts.js";

const methodKinds = { GET: "info", POST: "good", PUT: "warn", PATCH: "warn", DELETE: "bad" };
/** For operations that have no tag. */
const untagged = "Other";

/** The operations `{id, method, path, tag, operation}` of a description, without those that only repeat another. */
function operationsOf(description) {
    return Object.entries(description.paths).flatMap(([path, methods]) => Object.entries(methods)
        .filter(([method]) => method.toUpperCase() in methodKinds)
        .map(([method, operation]) => ({
            id: operation.operationId, method: method.toUpperCase(), path, operation,
            tag: operation.tags?.[0] ?? untagged,
        })));
}

function mount(root, app) {
    const search = el("input", {
        type: "search", class: "input v-filter", "aria-label": "Search operations", placeholder: "Path or words",
        onInput: filter, recorded: true,
    });
    const body = el("div", { class: "v-single stack" });
    root.append(
        head("API", el("div", { class: "v-inline" }, search),
            el("a", { class: "btn", href: "/openapi.json" }, "openapi.json")),
        el("div", { class: "view-body" }, body));
    let cards = [];

    async function load() {
        try {
            show(await app.api.get("/openapi.json"));
        } catch (error) {
            refill(body, empty("The description can't be loaded", sentence(error)));
        }
    }

    function show(description) {
        const all = operationsOf(description);
        const named = description.tags ?? [];
        const tags = [...new Set([...named.map((one) => one.name), ...all.map((one) => one.tag)])];
        cards = [];
        const sections = tags.map((tag) => {
            const own = all.filter((one) => one.tag === tag).map((one) => makeCard(description, one));
            if (own.length === 0) return null;
            cards.push(...own);
            const summary = named.find((one) => one.name === tag)?.description;
            return el("section", { class: "v-operations", "aria-label": tag }, el("h2", {}, tag),
                summary ? el("p", { class: "muted small" }, summary) : null, own.map((card) => card.node));
        });
        body.replaceChildren(...sections.filter(Boolean));
        filter();
        route();
    }

    function makeCard(description, one) {
        const content = el("div", { class: "panel-body stack" });
        const node = el("details", { class: "panel v-operation", "data-operation": one.id },
            el("summary", {}, chip(one.method, methodKinds[one.method]), el("code", { class: "break" }, one.path),
                el("span", { class: "muted" }, one.operation.summary)),
            content);
        node.addEventListener("toggle", () => {
            if (!node.open) return;
            if (!content.firstChild) content.append(...operationForm(app, description, one));
            app.replace(["api", one.id]);
        });
        const words = `${one.method} ${one.path} ${one.id} ${one.operation.summary}`.toLowerCase();
        return { node, id: one.id, words };
    }

    function filter() {
        const wanted = search.value.trim().toLowerCase();
        for (const { node, words } of cards) node.hidden = !words.includes(wanted);
        for (const section of body.querySelectorAll("section")) {
            section.hidden = ![...section.querySelectorAll("details")].some((node) => !node.hidden);
        }
    }

    /** Opens the operation that the address names. */
    function route() {
        const chosen = cards.find((card) => card.id === app.route[1])?.node;
        if (!chosen || chosen.open) return;
        chosen.open = true;
        chosen.scrollIntoView({ block: "start" });
    }

    load();
    const endKeys = listKeys(root, ".v-operation > summary");
    return { route, cleanup: endKeys };
}

export default { id: "api", title: "API", shortcuts: listShortcuts, mount };
