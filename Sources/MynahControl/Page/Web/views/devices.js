// The simulated devices: a list to search, and one of them with its apps and its lock screen.
import { newDeviceForm, newDeviceRoute } from "./devices-add.js";
import { deviceView } from "./devices-one.js";
import { el } from "../core/dom.js";
import { refill, reconcile } from "./dom.js";
import { live } from "../core/live.js";
import { appIcon, command, empty, head, sentence } from "./parts.js";
import { part } from "./words.js";

/** How many devices are listed; others are found by searching. */
const listed = 100;
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
    const side = el("section", { class: "v-side", "aria-label": "List of devices" }, search, list, note);
    const main = el("section", { class: "v-main" });
    const split = el("div", { class: "v-split" }, side, main);
    root.append(head(["Devices ", total],
        el("a", { class: "btn btn-primary", href: `#/devices/${newDeviceRoute}` }, "Add device")), split);

    let shownId;
    let one = null;
    let typing = 0;
    function typed() {
        clearTimeout(typing);
        typing = setTimeout(watch.restart, typingMilliseconds);
    }

    async function refresh(signal) {
        const found = await devicesLike(app, search.value.trim(), signal);
        total.textContent = found.matched === null ? "" : found.matched.toLocaleString("en-US");
        note.textContent = found.more ? `Showing the first ${found.items.length}. Search to find others.` : "";
        if (found.items.length === 0 && search.value.trim()) {
            note.textContent = "No device's ID, name, topics or tokens match.";
        }
        reconcile(list, found.items, (device) => device.id, () => el("li", {}), updateRow);
        if (shownId === undefined) showHome(found.items.length > 0);
    }

    function updateRow(row, device) {
        const apps = device.registrations.filter((one) => one.state === "active");
        const waiting = device.stored + (device.deferred ?? 0);
        refill(row, el(
            "a", { href: `#/devices/${part(device.id)}`, "aria-current": device.id === shownId ? "page" : null },
            el("span", { class: `dot ${device.online ? "dot-good" : "v-dot-off"}`, role: "img",
                "aria-label": device.online ? "online" : "offline" }),
            el("span", { class: "v-row-text" },
                el("strong", {}, device.name),
                el("small", { class: "faint" }, facts(device))),
            waiting > 0 ? el("span", { class: "chip chip-warn" }, `${waiting} waiting`) : null,
            el("span", { class: "v-icons" }, apps.slice(0, iconsMax).map((one) => appIcon(one.topic, one))),
        ));
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
        watch.now();
    }
    show();

    return {
        route: show,
        cleanup() {
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

/** The devices that match a text: listed ones that contain it first, then what the server finds. */
async function devicesLike(app, text, signal) {
    const all = await app.api.get("/v1/devices", { query: { limit: listed }, signal });
    if (!text) return { items: all.items, matched: all.matched, more: all.nextCursor !== null };
    const wanted = text.toLowerCase();
    const texts = (device) => [
        device.id, device.name, device.scope ?? "",
        ...device.registrations.flatMap((one) => [one.topic, one.token ?? ""]),
    ];
    const hasText = (device) => texts(device).some((one) => one.toLowerCase().includes(wanted));
    const found = new Map(all.items.filter(hasText).map((device) => [device.id, device]));
    if (all.nextCursor !== null) {
        const isHex = /^([0-9a-f]{2})+$/i.test(text);
        const queries = [
            { device: text }, { topic: text }, { scope: text }, { after: text }, ...(isHex ? [{ token: text }] : []),
        ];
        const pages = await Promise.all(
            queries.map((query) => app.api.get("/v1/devices", { query: { ...query, limit: listed }, signal })));
        pages.forEach((page, index) => {
            // After an ID come the IDs that begin with it.
            const isPrefix = "after" in queries[index];
            for (const device of page.items) {
                if (!isPrefix || device.id.startsWith(text)) found.set(device.id, device);
            }
        });
    }
    const items = [...found.values()];
    return { items, matched: items.length, more: false };
}

export default { id: "devices", title: "Devices", mount };
