// One app on a device: its token, state, permissions and settings.
import { el } from "../core/dom.js";
import { makeHash } from "../core/router.js";
import { newPushRoute } from "../pushes/compose.js";
import { firstSend } from "../pushes/web-copies.js";
import { refill } from "./refill.js";
import {
    attempt, appIcon, confirmButton, copyButton, button, field, fold, chip, select, sentence, toggle,
} from "./parts.js";
import { jsonEditor } from "./json-editor.js";
import { appMembers, permissionMembers } from "../made/devices.js";
import { appName, labelOf, part, shortToken, workers } from "./words.js";

const appStates = [
    ["foreground", "in the foreground"], ["background", "in the background"], ["suspended", "suspended"],
    ["forceQuit", "force-quit"],
];
/** What permissions and their values are called, where that isn't their names. */
const permissionWords = {
    authorization: "Notifications", alert: "Alerts", badge: "Badges", sound: "Sounds", timeSensitive: "Time-sensitive",
    notificationCenter: "Notification Center", liveActivities: "Live Activities", frequentPushes: "Frequent updates",
    alertStyle: "Banners", showPreviews: "Previews",
};
const permissionValues = {
    authorization: { authorized: "Allowed", notDetermined: "Not asked yet" },
    alertStyle: { banner: "Banners", alert: "Alerts that stay" },
};
const permissionLabel = (name) => permissionWords[name] ?? labelOf(name);
const permissionValue = (name, value) => permissionValues[name]?.[value] ?? labelOf(value);
/** What the user allows of Live Activities, on iPhones and iPads: it doesn't depend on that for notifications. */
const ofActivities = ["liveActivities", "frequentPushes"];
const rotations = [
    ["reinstall", "Reinstall", "The app is deleted and installed again: it gets a new token at once"],
    ["restore", "Restore", "The device is restored from a backup: the app gets a new token when it is launched"],
    ["osReinstall", "Reinstall the system", "The system is installed again: the app gets a new token"],
];
/** What has controls of its own; the other members of an app are set as JSON. */
const controlled = ["permissions", "appState", "worker"];
const setUpNames = appMembers.map(({ name }) => name).filter((name) => !controlled.includes(name));

/** The card of an app; `show(registration, badge)` updates it. */
export function appCard(app, devicePath, watch) {
    let registration = null;
    const path = () => {
        const { topic, environment } = registration;
        return `${devicePath}/registrations/${part(topic)}?environment=${environment}`;
    };
    const icon = el("span", {});
    const title = el("div", { class: "v-app-title" });
    const state = el("span", {});
    const token = el("code", {});
    const copyToken = copyButton(app, () => registration.token, "the token");
    const copySubscription = copyButton(
        app, () => JSON.stringify(registration.webPush), "the subscription");
    const subscription = el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "Subscription" });
    const subscribed = fold("Subscription", subscription, el("div", { class: "row" },
        button("Copy a mynah send command", () => app.copyText(firstSend(registration), "a mynah send command"),
            { kind: "quiet" })));
    const tokenLine = el("p", { class: "v-token" });
    const runs = select("Runs", appStates, (value) => change({ appState: value }));
    const worker = select("Service worker", workers, (value) => change({ worker: value }));
    const badgeField = field("Badge", { type: "number", min: "0", placeholder: "none", onChange: setBadge });
    const sendLink = el("a", { class: "btn", recorded: false }, "Send a push");
    const removal = fold("Token and removal",
        el("div", { class: "row", recorded: false },
            rotations.map(([rotate, label, says]) => button(label, () => renew(rotate), { title: says })),
            confirmButton(app, "Uninstall", question, uninstall)));
    const permissions = permissionList(change);
    const setUp = setUpEditor(async (members) => {
        const changed = await app.api.patch(path(), members);
        app.toast("Saved", { kind: "info" });
        watch.now();
        return changed;
    });
    const node = el(
        "li", { class: "v-app panel" },
        el("div", { class: "v-app-head" }, icon, title, state),
        el("div", { class: "v-app-controls" }, tokenLine, runs, worker, badgeField,
            button("Clear notifications", clear), sendLink),
        el("div", { class: "v-folds" }, subscribed, permissions, setUp, removal),
    );

    async function change(members) {
        const changed = await watch.during(() => attempt(app, () => app.api.patch(path(), members)));
        if (changed === undefined) node.show(registration);
    }
    async function setBadge() {
        const badges = { [registration.topic]: Number(badgeField.input.value) };
        const changed = await watch.during(() => attempt(app, () => app.api.patch(`${devicePath}/screen`, { badges })));
        if (changed === undefined) badgeField.input.value = shownBadge ?? "";
    }
    async function clear() {
        const query = { topic: registration.topic };
        await watch.during(() => attempt(app, () => app.api.delete(`${devicePath}/screen`, { query })));
    }
    async function renew(rotate) {
        const { topic, environment, kind, applicationServerKey } = registration;
        const members = { topic, environment, rotate, ...(kind === "web" ? { kind, applicationServerKey } : {}) };
        const renewed = await watch.during(() => attempt(
            app, () => app.api.post(`${devicePath}/registrations`, members)));
        if (!renewed) return;
        const [owner, what] = kind === "web" ? ["web app", "subscription"] : ["app", "token"];
        app.toast(renewed.token ? `The ${owner} has a new ${what}.`
            : `The old ${what} is gone; the ${owner} gets a new one when it is launched.`);
    }
    function question() {
        return {
            title: `Uninstall ${appName(registration.topic, registration)}?`, word: "Uninstall",
            text: registration.kind === "web" ? "Its subscription ends: pushes to it are answered with 410."
                : "Its token becomes unregistered: pushes to it are answered with 410.",
        };
    }
    async function uninstall() {
        await watch.during(() => attempt(app, () => app.api.delete(path())));
    }

    let shownBadge;
    node.show = (next, badge = shownBadge) => {
        registration = next;
        shownBadge = badge;
        refill(icon, appIcon(next.topic, next, badge));
        refill(title, el("strong", {}, appName(next.topic, next)), el("small", { class: "faint break" }, next.topic));
        const isWeb = next.kind === "web";
        // A web app has no environment.
        const environmentChip = isWeb ? null : chip(next.environment, "plain");
        refill(state, next.state === "active" ? environmentChip : chip(stateName(next.state), "warn"));
        if (token.dataset.token !== (next.token ?? "")) {
            token.dataset.token = next.token ?? "";
            token.textContent = next.token ? shortToken(next.token) : "no token yet";
            token.title = next.token ?? "";
            const copy = isWeb ? copySubscription : copyToken;
            refill(tokenLine, el("span", { class: "faint small" }, isWeb ? "Subscription" : "Token"),
                token, isWeb && !next.webPush || !next.token ? null : copy);
        }
        subscription.textContent = next.webPush ? JSON.stringify(next.webPush, null, 2) : "";
        subscribed.hidden = !next.webPush;
        subscription.setAttribute("aria-label", `Subscription of ${appName(next.topic, next)}`);
        removal.firstChild.textContent = isWeb ? "Renewal and removal" : "Token and removal";
        sendLink.hidden = !next.token || isWeb;
        worker.hidden = !isWeb;
        if (document.activeElement !== worker.input) worker.set(next.worker);
        const { topic, environment } = next;
        sendLink.href = makeHash(["pushes", newPushRoute], { token: next.token, topic, environment });
        if (document.activeElement !== runs.input) runs.set(next.appState);
        if (document.activeElement !== badgeField.input) badgeField.input.value = badge ?? "";
        permissions.set(next);
        setUp.set(next);
    };
    /** Shows what the browser hands out. */
    node.showSubscription = () => {
        subscribed.open = true;
        subscribed.scrollIntoView({ block: "nearest" });
    };
    return node;
}

function stateName(state) {
    return { notLaunched: "not launched yet", waitingForNetwork: "waiting for network" }[state] ?? state;
}

function permissionList(change) {
    const lists = permissionMembers.filter(({ kind }) => kind === "choice").map(({ name, values }) => [name, select(
        permissionLabel(name), values.map((value) => [value, permissionValue(name, value)]),
        (value) => change({ permissions: { [name]: value } }))]);
    const switches = permissionMembers.filter(({ kind }) => kind === "flag").map(({ name }) => [
        name, toggle(permissionLabel(name), (isOn) => change({ permissions: { [name]: isOn } }))]);
    const summary = el("summary", {});
    const node = el("details", { class: "v-fold v-permissions" }, summary, lists.map(([, one]) => one),
        el("div", { class: "v-switches" }, switches.map(([, one]) => one)));
    node.set = (registration) => {
        const given = registration.permissions ?? {};
        const { authorization = "authorized" } = given;
        for (const [name, one] of lists) one.set(given[name]);
        for (const [name, one] of switches) {
            one.set(given[name] === true);
            one.input.disabled = !ofActivities.includes(name) && ["denied", "notDetermined"].includes(authorization);
        }
        // Critical alerts need an entitlement, so without them nothing is missing.
        const off = switches.filter(([name]) => name !== "critical" && given[name] === false)
            .map(([name]) => permissionLabel(name).toLowerCase());
        const present = off.length > 0 ? `no ${off.join(", ")}` : "all";
        const allowed = permissionValue("authorization", authorization).toLowerCase();
        summary.textContent = `Permissions: ${authorization === "authorized" ? present : allowed}`;
    };
    return node;
}

/** An editor for what has no fields: categories with their actions, sounds, strings, the service extension. */
function setUpEditor(save) {
    const editor = jsonEditor("App settings", { rows: 12 });
    const submit = button("Save", send, { kind: "primary" });
    const node = fold("Categories, sounds, strings", editor, el("div", { class: "row" }, submit));
    async function send() {
        const value = editor.read();
        if (value === undefined) return;
        try {
            node.set(await save(value), true);
        } catch (error) {
            editor.fault(error.problem?.field, sentence(error));
        }
    }
    node.set = (registration, always = false) => {
        const members = Object.fromEntries(
            setUpNames.filter((name) => name in registration).map((name) => [name, registration[name]]));
        const text = JSON.stringify(members, null, 2);
        // Don't overwrite what the user is editing.
        if (!always && node.shown !== undefined && editor.text !== node.shown) return;
        node.shown = text;
        editor.text = text;
    };
    return node;
}
