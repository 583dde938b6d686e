// A phone's lock screen, drawn from what `GET /v1/devices/{id}/screen` says.
import { el } from "../core/dom.js";
import { refill, reconcile } from "./refill.js";
import { activityList, showInIsland } from "./screen-activity.js";
import { noteCard, updateNoteCard } from "./screen-note.js";
import { appName, dateFormat, timeOfDay } from "./words.js";

/** What the screen is called where notifications are not on a lock screen. */
const screenNames = { macOS: "Notification Center", tvOS: "Home Screen", watchOS: "Notification Center" };
/** How many cards of a stack show their edges below the top one. */
const edgesMax = 2;

/**
 * The phone. `act(sequence, action, text)` performs the user's action and returns whether it succeeded;
 * `dismiss(activity)` takes a Live Activity off the screen.
 *
 * `show({device, screen, clock})` draws it; `tick(now)` moves its time on, in milliseconds.
 */
export function lockScreen(act, dismiss) {
    const date = el("p", { class: "v-date" });
    const time = el("p", { class: "v-time" });
    const status = el("div", { class: "v-statusbar" });
    const island = el("div", { class: "v-island", "aria-hidden": "true" });
    const activities = activityList(dismiss);
    const stack = el("ol", { class: "v-stack", "aria-label": "Notifications" });
    const quiet = el("p", { class: "v-quiet" });
    const focus = el("div", { class: "v-focus" });
    const glass = el(
        "div", { class: "v-glass" },
        island,
        status,
        el("div", { class: "v-lock", "aria-hidden": "true" }),
        date, time, activities, quiet, stack,
        el("div", { class: "v-feet" },
            el("span", { class: "v-torch", "aria-hidden": "true" }),
            focus,
            el("span", { class: "v-camera", "aria-hidden": "true" })),
        el("div", { class: "v-home", "aria-hidden": "true" }),
    );
    const node = el("section", { class: "v-phone", "aria-label": "Lock screen" }, glass);

    const opened = new Set();
    let openNote = null;
    let shown = null;

    function draw(now) {
        const { device, screen } = shown;
        const locale = device.locale;
        date.textContent = dateFormat(locale, { weekday: "long", day: "numeric", month: "long" }).format(now);
        time.textContent = timeOfDay(locale, now);
        time.title = new Date(now).toISOString();
        const rows = rowsOf(screen, device, opened);
        reconcile(stack, rows, (row) => row.key, makeRow, (row, item) => updateRow(row, item, now));
        activities.show(screen.activities, device, now);
        showInIsland(island, screen.activities, device);
        quiet.hidden = rows.length > 0 || screen.activities.length > 0;
        quiet.textContent = device.online ? "No notifications" : "Offline: pushes wait for this device";
    }

    function makeRow(row) {
        if (row.kind === "head") return el("li", { class: "v-stack-head" });
        return noteCard({
            press: (sequence) => press(sequence),
            act: async (sequence, action, text) => {
                const isDone = await act(sequence, action, text);
                if (isDone && openNote === sequence) openNote = null;
                return isDone;
            },
        });
    }

    function updateRow(node, row, now) {
        if (row.kind === "head") {
            refill(node, el("span", {}, row.name),
                el("button", { type: "button", onClick: () => toggleGroup(row.group), recorded: true }, "Show less"),
                el("button", { type: "button", onClick: () => clear(row.sequences) }, "Clear all"));
            return;
        }
        updateNoteCard(node, { ...row, now, locale: shown.device.locale, isOpen: openNote === row.note.sequence });
    }

    async function clear(sequences) {
        for (const sequence of sequences) await act(sequence, "dismiss");
    }

    function press(sequence) {
        const row = rowsOf(shown.screen, shown.device, opened).find((one) => one.note?.sequence === sequence);
        if (!row) return;
        if (row.hidden > 0) toggleGroup(row.group);
        else openNote = openNote === sequence ? null : sequence;
        draw(shown.now());
    }

    function toggleGroup(group) {
        if (!opened.delete(group)) opened.add(group);
        openNote = null;
        draw(shown.now());
    }

    node.show = ({ device, screen, now }) => {
        shown = { device, screen, now };
        node.setAttribute("aria-label", `${device.name}, ${screenNames[device.platform] ?? "lock screen"}`);
        node.dataset.platform = device.platform;
        node.dataset.power = device.power;
        node.dataset.online = String(device.online);
        node.dataset.locked = String(device.locked);
        refill(status, ...statusBar(device));
        const focusName = typeof device.focus === "string" ? device.focus : device.focus?.name;
        refill(focus, focusName ? [el("span", { class: "v-moon", "aria-hidden": "true" }), focusName] : []);
        draw(now());
    };
    node.tick = () => {
        if (shown) draw(shown.now());
    };
    return node;
}

/** The active registration of an app, or its last one. */
export function registrationOf(device, topic) {
    const all = device.registrations.filter((one) => one.topic === topic);
    return all.find((one) => one.state === "active") ?? all[all.length - 1];
}

function statusBar(device) {
    const bars = el("span", { class: "v-bars", role: "img", "aria-label": device.online ? "Online" : "Offline" },
        [1, 2, 3, 4].map((height) => el("i", { class: `v-bar-${height}` })));
    const power = { normal: "Battery", low: "Low Power Mode", asleep: "Asleep" }[device.power];
    return [
        el("span", { class: "v-carrier" }, device.online ? "Mynah" : "No Service"),
        el("span", { class: "v-status-right" }, device.muted ? "Silent" : null, bars,
            el("span", { class: "v-battery", role: "img", "aria-label": power }, el("i", {}))),
    ];
}

/** The rows of the screen: single cards, stacks as their top card, and opened stacks with a heading. */
function rowsOf(screen, device, opened) {
    const noteOf = new Map(screen.notifications.map((note) => [note.sequence, note]));
    const rows = [];
    for (const { topic, threadId, sequences, summary } of screen.groups) {
        const group = JSON.stringify([topic, threadId]);
        const notes = sequences.map((sequence) => noteOf.get(sequence));
        const registration = registrationOf(device, notes[0].topic);
        const isOpened = opened.has(group) && notes.length > 1;
        const visible = isOpened ? notes : notes.slice(0, 1);
        if (isOpened) {
            rows.push({ kind: "head", key: `head ${group}`, group, name: appName(notes[0].topic, registration),
                sequences });
        }
        for (const note of visible) {
            const hidden = isOpened ? 0 : notes.length - 1;
            rows.push({ kind: "note", key: `note ${note.sequence}`, group, note, registration, hidden,
                more: isOpened ? null : summary, edges: Math.min(hidden, edgesMax) });
        }
    }
    return rows;
}
