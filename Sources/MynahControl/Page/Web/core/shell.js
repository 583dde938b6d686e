// The frame: navigation, connection state, counts, theme, help.

import { showDialog } from "./dialogs.js";
import { el, fill, icon } from "./dom.js";
import { time } from "./format.js";
import { makeRecordedBar } from "./recorded.js";

const statusPause = 1500;
const themeKey = "mynah.theme";
const themes = { system: "system", light: "light", dark: "dark" };
const themeIcons = { system: "system", light: "sun", dark: "moon" };
const connectionTexts = { connecting: "Connecting", live: "Live", broken: "Reconnecting", resting: "Resting" };

function currentTheme() {
    return document.documentElement.dataset.theme ?? "system";
}

function setTheme(theme) {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
        if (theme === "system") localStorage.removeItem(themeKey);
        else localStorage.setItem(themeKey, theme);
    } catch {
        // It lasts until the page is reloaded.
    }
}

function themeButton() {
    const button = el("button", { class: "btn btn-quiet btn-icon", type: "button", recorded: true });
    const show = () => {
        const theme = currentTheme();
        fill(button, icon(themeIcons[theme]));
        button.setAttribute("aria-label", `Theme: ${themes[theme]}`);
        button.title = `Theme: ${themes[theme]}`;
    };
    button.addEventListener("click", () => {
        const names = Object.keys(themes);
        setTheme(names[(names.indexOf(currentTheme()) + 1) % names.length]);
        show();
    });
    show();
    return button;
}

/** Lists the `shortcuts` (`[{keys: ["j"], text, recorded}]`) of `currentView()` and the general ones. */
function showHelp(views, currentView) {
    const general = [
        { keys: ["?"], text: "Show this list" },
        { keys: ["1", "…", String(views.length)], text: "Open a view" },
    ];
    const line = ({ keys, text, recorded }) => [
        el("dt", { recorded }, keys.map((key) => [el("kbd", {}, key), " "])),
        el("dd", { recorded }, text),
    ];
    showDialog("Keyboard", [
        el("dl", { class: "kv" }, [...(currentView()?.shortcuts ?? []), ...general].map(line)),
        el("div", { class: "dialog-actions" }, el("button", { class: "btn", autofocus: true, recorded: true }, "Close")),
    ]);
}

/** Whether a key is meant for the focused element and not for the page. */
export function isTyping(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return true;
    const target = event.target;
    const takesKeys = "input:not([type=checkbox]), textarea, select, dialog";
    return target instanceof HTMLElement && (target.isContentEditable || target.closest(takesKeys) !== null);
}

/** `moved()` is called when another place of a recorded run is shown. */
export function makeShell(views, api, { currentView, moved, news }) {
    const links = new Map(views.map((view) => [view.id, el(
        "a", { href: `#/${view.id}`, "aria-label": view.title }, icon(view.id), el("span", {}, view.title),
        el("span", { class: "count", "aria-hidden": "true" }))]));
    const state = el("span", {});
    const link = el(
        "p", { class: "link", role: "status", "aria-live": "polite" }, el("span", { class: "dot" }), state);
    const recording = makeRecordedBar(api, (run) => {
        showRecorded(run);
        keepStatus();
        moved();
    });
    const counts = el("dl", { class: "kv", "aria-label": "The server" });
    const main = el("main", { class: "view", id: "main", tabindex: "-1" });
    const help = el("button", {
        class: "btn btn-quiet btn-icon", type: "button", "aria-label": "Keyboard shortcuts", title: "Keyboard (?)",
        onclick: () => showHelp(views, currentView), recorded: true,
    }, icon("help"));

    document.body.prepend(recording.bar, el(
        "div", { class: "shell" },
        el("header", { class: "side" },
            el("a", { class: "brand", href: "#/" }, el("img", { src: "/assets/mynah.svg", alt: "" }), "Mynah"),
            el("nav", { class: "nav", "aria-label": "Views" }, [...links.values()]),
            el("div", { class: "side-foot" }, counts, el("div", { class: "side-tools" }, link, themeButton(), help))),
        main));

    document.addEventListener("keydown", (event) => {
        if (isTyping(event)) return;
        if (event.key === "?") {
            event.preventDefault();
            showHelp(views, currentView);
        }
        const view = views[Number(event.key) - 1];
        if (view) location.hash = `#/${view.id}`;
    });

    const numbers = new Intl.NumberFormat("en");
    let isStale = false;
    let isAsking = false;
    /** Whether the server shows a recorded run; undefined before the first status. */
    let isRecorded;

    async function showStatus() {
        const { moveCount } = recording;
        const { counts: all, version, recorded } = await api.get("/v1/status");
        if (isRecorded !== undefined && isRecorded !== Boolean(recorded)) location.reload();
        isRecorded = Boolean(recorded);
        if (isRecorded) {
            showRecorded(recorded);
            if (recording.take(recorded, moveCount)) moved();
        }
        const rows = [
            ["Received", all.received], ["Accepted", all.accepted], ["Refused", all.refused],
            ["Devices", all.devices], ["Connections", all.connections],
        ];
        fill(counts, rows.map(([name, value]) => [el("dt", {}, name), el("dd", {}, numbers.format(value))]),
            el("dt", {}, "Version"), el("dd", {}, version));
        const setCount = (id, value) => {
            const count = links.get(id)?.querySelector(".count");
            if (count) count.textContent = value ? numbers.format(value) : "";
        };
        setCount("pushes", all.received);
        setCount("devices", all.devices);
        setCount("connections", all.connections);
    }

    function showLink(kind, text) {
        link.className = `link link-${kind}`;
        if (state.textContent !== text) state.textContent = text;
    }

    function showRecorded(run) { showLink("recorded", `Recorded ${time(run.time).slice(0, 5)}`); }

    function showConnection(name) {
        if (!isRecorded) {
            showLink(name, connectionTexts[name]);
        } else if (name === "broken") {
            // Each move ends the stream: only a status tells whether the server is still there.
            keepStatus();
        }
    }

    let begin;
    const begun = new Promise((resolve) => { begin = resolve; });

    /** One call at a time, so that the latest is shown last; events meanwhile lead to another call. */
    async function keepStatus() {
        isStale = true;
        if (isAsking) return;
        isAsking = true;
        while (isStale) {
            isStale = false;
            // The connection state shows what is wrong; the next event tries again.
            await showStatus().catch(() => {
                isRecorded ??= false;
                if (isRecorded) showLink("broken", connectionTexts.broken);
            });
            begin();
            await new Promise((resolve) => { setTimeout(resolve, statusPause); });
        }
        isAsking = false;
    }
    keepStatus();

    return {
        /** Any event may have changed a count. */
        noteEvent: keepStatus,
        showConnection,
        /** Resolves once it is known whether the server shows a recorded run, or can't be asked. */
        begun,
        get isRecorded() { return isRecorded === true; },
        /** An empty root for a view. */
        enter(view) {
            for (const [id, element] of links) {
                if (id === view.id) element.setAttribute("aria-current", "page");
                else element.removeAttribute("aria-current");
            }
            news.setTitle(`${view.title} · Mynah`);
            fill(main);
            main.setAttribute("aria-label", view.title);
            const root = el("div", { class: "view", id: `view-${view.id}` });
            main.append(root);
            return root;
        },
    };
}
