// The simulated devices: a list to search, and one of them with its apps and its lock screen.
import { newDeviceForm, newDeviceRoute } from "./devices-add.js";
import { findDevices, listed } from "./devices-find.js";
import { readDevices, rowsOf } from "./devices-list.js";
import { deviceView } from "./devices-one.js";
import { el, icon } from "../core/dom.js";
import { refill, reconcile } from "./dom.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { live } from "../core/live.js";
import { appIcon, attempt, button, command, download, empty, head, sentence } from "./parts.js";
import { count, part } from "./words.js";

/** How many apps of a device have their icon in the list. */
const iconsMax = 4;
const typingMilliseconds = 150;

function mount(root, app) {
    const search = el("input", {
        type: "search", class: "input", "aria-label": "Search devices", placeholder: "ID, name, topic or token",
        onInput: typed,
    });
    const total = el("span", { class: "faint tabular" });
    const list = el("ul", { class: "v-devices", "aria-label": "Devices" });
    const note = el("p", { class: "field-hint", role: "status" });
    const more = button("Load more", () => {
        shownMax += listed;
        draw();
    });
    more.hidden = true;
    const side = el("section", { class: "v-side", "aria-label": "List of devices" }, search, list, more, note);
    const main = el("section", { class: "v-main" });
    const split = el("div", { class: "v-split" }, side, main);
    root.append(head(["Devices ", total],
        button([icon("download"), el("span", { class: "btn-word" }, "Download fixtures")], saveFixtures,
            { name: "Download fixtures", title: "The present devices, channels, faults, keys and clock" }),
        el("a", { class: "btn btn-primary", href: `#/devices/${newDeviceRoute}` }, "Add device")), split);

    async function saveFixtures() {
        const text = await attempt(app, () => app.api.text("/v1/fixtures"));
        if (text !== undefined) download("fixtures.json", text, "application/json");
    }

    let shownId;
    let one = null;
    let typing = 0;
    const isDevice = (id) => id !== undefined && id !== newDeviceRoute;
    function typed() {
        clearTimeout(typing);
        typing = setTimeout(watch.restart, typingMilliseconds);
    }

    /** The fleets whose devices are shown, and how many rows are. */
    const opened = new Set();
    let shownMax = listed;
    const nothing = { items: [], matched: 0, cut: new Set(), sizes: new Map() };
    let found = nothing;
    async function refresh(signal) {
        const text = search.value.trim();
        const next = text ? await findDevices(app, text, {}, { signal }) : await readDevices(app, signal);
        if (isDevice(shownId) && !next.items.some((device) => device.id === shownId) && !text) {
            const chosen = await app.api.get(`/v1/devices/${part(shownId)}`, { signal }).catch((error) => {
                // The device view shows that it is missing.
                if (error.status === 404) return null;
                throw error;
            });
            if (chosen) next.items.unshift(chosen);
        }
        found = { ...nothing, ...next };
        draw();
        if (shownId === undefined) showHome(found.items.length > 0);
    }

    function draw() {
        const text = search.value.trim();
        total.textContent = found.matched.toLocaleString("en-US");
        const rows = text ? found.items.map((device) => ({ key: `device ${device.id}`, device }))
            : rowsOf(found.items, opened);
        let shown = rows.slice(0, shownMax);
        const chosen = rows.find((row) => row.device?.id === shownId);
        // The chosen device is always in the list.
        if (chosen && !shown.includes(chosen)) shown = [chosen, ...shown];
        else if (isDevice(shownId) && !chosen) {
            const device = found.items.find((one) => one.id === shownId);
            const fleet = device ? shown.findIndex((row) => row.devices?.includes(device)) : -1;
            if (device) shown.splice(fleet + 1, 0, { key: `device ${device.id}`, device, isInFleet: fleet >= 0 });
        }
        reconcile(list, shown, (row) => row.key, () => el("li", {}),
            (node, row) => (row.device ? updateRow(node, row.device, row.isInFleet) : updateFleet(node, row)));
        more.hidden = rows.length <= shownMax;
        more.textContent = `Load more (${(rows.length - shownMax).toLocaleString("en-US")})`;
        note.textContent = text && found.items.length === 0 ? "No device's ID, name, topics or tokens match." : "";
    }

    function updateFleet(node, { stem, devices, isOpen }) {
        const attributes = { class: "v-fleet", "aria-expanded": String(isOpen), "data-fleet": stem };
        refill(node, el("button", { type: "button", ...attributes }, el("span", { class: "v-row-text" },
            el("strong", {}, stem), el("small", { class: "faint" }, fleetSize(stem, devices.length)))));
    }
    function fleetSize(stem, read) {
        const isKnown = !found.cut.has(stem) || found.sizes.has(stem);
        return `fleet of ${isKnown ? "" : "at least "}${count(found.sizes.get(stem) ?? read, "device")}`;
    }
    list.addEventListener("click", (event) => {
        const stem = event.target.closest("[data-fleet]")?.dataset.fleet;
        if (stem === undefined) return;
        if (!opened.delete(stem)) opened.add(stem);
        draw();
        [...list.querySelectorAll("[data-fleet]")].find((one) => one.dataset.fleet === stem)?.focus();
    });

    function updateRow(row, device, isInFleet) {
        const apps = device.registrations.filter((one) => one.state === "active");
        const waiting = device.stored + (device.deferred ?? 0);
        // The link stays, and with it the focus.
        const link = row.querySelector("a") ?? el("a", {});
        if (link.parentElement !== row) row.replaceChildren(link);
        link.href = `#/devices/${part(device.id)}`;
        link.classList.toggle("v-in-fleet", isInFleet === true);
        if (device.id === shownId) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
        refill(link,
            el("span", { class: `dot ${device.online ? "dot-good" : "v-dot-off"}`, role: "img",
                "aria-label": device.online ? "online" : "offline" }),
            el("span", { class: "v-row-text" },
                el("strong", {}, device.name),
                el("small", { class: "faint" }, facts(device))),
            waiting > 0 ? el("span", { class: "chip chip-warn" }, `${waiting} waiting`) : null,
            el("span", { class: "v-icons" }, apps.slice(0, iconsMax).map((one) => appIcon(one.topic, one))));
    }

    const watch = live(app, {
        refresh,
        concerns: (event) => event.type === "device" || event.type === "outcome",
        failed: (error) => (note.textContent = sentence(error)),
    });

    function showHome(hasDevices) {
        refill(main, hasDevices
            ? empty("Choose a device", "Its lock screen, apps and inbox appear here.")
            : empty("No devices yet",
                "Add one and use its app's token in your provider. Or just send a push: unknown tokens create devices.",
                    command(app, "mynah device add kim --app com.example.app")));
    }

    function show() {
        const id = app.route[1];
        if (id === shownId && one) return;
        one?.stop?.();
        one = null;
        shownId = id;
        split.dataset.open = id === undefined ? "list" : "one";
        if (id === undefined) main.replaceChildren();
        else if (id === newDeviceRoute) main.replaceChildren((one = newDeviceForm(app)));
        else main.replaceChildren((one = deviceView(app, id)));
        draw();
        list.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
        watch.now();
    }
    show();
    const endKeys = listKeys(root, ".v-devices a, .v-fleet");

    return {
        route: show,
        cleanup() {
            endKeys();
            clearTimeout(typing);
            one?.stop?.();
            watch.stop();
        },
    };
}

function facts(device) {
    const id = device.name === device.id ? null : device.id;
    return [id, device.model, device.scope && `scope ${device.scope}`].filter(Boolean).join(" · ");
}

export default { id: "devices", title: "Devices", shortcuts: listShortcuts, mount };
