// The simulated devices: a list to search, and one of them with its apps and its lock screen.
import { newDeviceForm, newDeviceRoute } from "./devices-add.js";
import { findDevices, listed } from "./devices-find.js";
import { readDevices, rowOf } from "./devices-list.js";
import { deviceView } from "./devices-one.js";
import { el, icon } from "../core/dom.js";
import { refill, reconcile } from "./refill.js";
import { listKeys, listShortcuts } from "../core/list-keys.js";
import { live } from "../core/live.js";
import { advice, appIcon, attempt, button, command, download, empty, head, sentence } from "./parts.js";
import { count, part } from "./words.js";

/** How many apps of a device have their icon in the list. */
const iconsMax = 4;
const typingMilliseconds = 150;

function mount(root, app) {
    const search = el("input", {
        type: "search", class: "input", "aria-label": "Search devices", placeholder: "ID, name, topic or token",
        onInput: typed, recorded: true,
    });
    const total = el("span", { class: "faint tabular" });
    const list = el("ul", { class: "v-devices", "aria-label": "Devices" });
    const note = el("p", { class: "field-hint", role: "status" });
    const more = button("Load more", () => {
        shownMax += listed;
        watch.restart();
    }, { recorded: true });
    more.hidden = true;
    const side = el("section", { class: "v-side", "aria-label": "List of devices" }, search, list, more, note);
    const main = el("section", { class: "v-main" });
    const split = el("div", { class: "v-split" }, side, main);
    root.append(head(["Devices ", total],
        button([icon("download"), el("span", { class: "btn-word" }, "Download fixtures")], saveFixtures,
            { name: "Download fixtures", title: "The present devices, channels, faults, keys and clock", recorded: true }),
        el("a", { class: "btn btn-primary", href: `#/devices/${newDeviceRoute}`, recorded: false }, "Add device")), split);

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
    let found = { rows: [], rowCount: 0, matched: 0 };
    /** The device that is shown beside the list, where the list does not have it. */
    let chosen = null;
    async function refresh(signal) {
        const text = search.value.trim();
        const next = text ? rowsFound(await findDevices(app, text, {}, { signal }))
            : await readDevices(app, opened, shownMax, signal);
        chosen = null;
        if (isDevice(shownId) && !text && !next.rows.some((row) => row.device?.id === shownId)) {
            chosen = await app.api.get(`/v1/devices/${part(shownId)}`, { signal }).catch((error) => {
                // The device view shows that it is missing.
                if (error.status === 404) return null;
                throw error;
            });
        }
        found = next;
        draw();
        if (shownId === undefined) showHome(found.rows.length > 0);
    }

    function rowsFound({ items, matched }) {
        return { rows: items.slice(0, shownMax).map(rowOf), rowCount: items.length, matched };
    }

    function draw() {
        total.textContent = found.matched.toLocaleString("en-US");
        const shown = [...found.rows];
        if (chosen?.id === shownId && isDevice(shownId)) {
            const fleet = shown.findIndex((row) => row.stem !== undefined && isOfFleet(shownId, row.stem));
            shown.splice(fleet + 1, 0, { ...rowOf(chosen), isInFleet: fleet >= 0 });
        }
        reconcile(list, shown, (row) => row.key, () => el("li", {}),
            (node, row) => (row.device ? updateRow(node, row.device, row.isInFleet) : updateFleet(node, row)));
        const rest = found.rowCount - found.rows.length;
        more.hidden = rest <= 0;
        more.textContent = `Load more (${rest.toLocaleString("en-US")})`;
        const isSearch = search.value.trim() !== "";
        note.textContent = isSearch && found.rows.length === 0 ? "No device's ID, name, topics or tokens match." : "";
    }

    function updateFleet(node, { stem, size, isOpen }) {
        const attributes = { class: "v-fleet", "aria-expanded": String(isOpen), "data-fleet": stem, recorded: true };
        refill(node, el("button", { type: "button", ...attributes }, el("span", { class: "v-row-text" },
            el("strong", {}, stem), el("small", { class: "faint" }, `fleet of ${count(size, "device")}`))));
    }
    list.addEventListener("click", (event) => {
        const stem = event.target.closest("[data-fleet]")?.dataset.fleet;
        if (stem === undefined) return;
        if (!opened.delete(stem)) opened.add(stem);
        watch.restart();
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
                advice("Add one and use its app's token in your provider. "
                    + "Or just send a push: unknown tokens create devices."),
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

function isOfFleet(id, stem) {
    return id.startsWith(`${stem}-`) && /^\d{5,7}$/.test(id.slice(stem.length + 1));
}

function facts(device) {
    const id = device.name === device.id ? null : device.id;
    return [id, device.model, device.scope && `scope ${device.scope}`].filter(Boolean).join(" · ");
}

export default { id: "devices", title: "Devices", shortcuts: listShortcuts, mount };
