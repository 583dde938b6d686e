// One device: its properties, controls, apps, inbox and lock screen.
import { newAppForm } from "./devices-add.js";
import { appCard } from "./devices-app.js";
import { inboxList, noticedList } from "./devices-inbox.js";
import { el } from "../core/dom.js";
import { deviceMembers } from "../made/devices.js";
import { refill, reconcile } from "./refill.js";
import { live } from "../core/live.js";
import {
    advice, attempt, button, choice, command, confirmButton, empty, field, fold, form, chip, sentence,
} from "./parts.js";
import { lockScreen } from "./screen.js";
import { count, labelOf, part, presentTime } from "./words.js";

/** What a member that is on or off is called, where that isn't its name. */
const flagWords = {
    online: { label: "Network", on: "Online", off: "Offline" },
    locked: { label: "Lock", on: "Locked", off: "Unlocked" },
    muted: { label: "Ringer", on: "Silent", off: "Ring" },
};
/** The texts that come first in the form, and what they are called, where that isn't their names. */
const textWords = {
    name: { hint: "" },
    locale: { placeholder: "en-GB", hint: "A language tag (BCP 47): language and region." },
    languages: {
        label: "Preferred languages", placeholder: "zh-Hant, en", separator: /[\s,]+/,
        hint: "Language tags in order, by which an app's strings are chosen; without one, the locale's.",
    },
    osVersion: { label: "System version", hint: "" },
    user: { hint: "The label of its owner's devices." },
};
const focusNames = ["Do Not Disturb", "Sleep", "Work", "Personal", "Driving"];
const inboxListed = 25;

/** Everything about one device; `stop()` ends its updates. */
export function deviceView(app, id) {
    const path = `/v1/devices/${part(id)}`;
    const heading = el("h2", {}, id);
    const facts = el("p", { class: "v-facts" });
    const remove = confirmButton(app, "Remove", () => ({
        title: `Remove ${device?.name ?? id}?`, word: "Remove",
        text: "Its tokens become unknown and its waiting pushes are discarded. The journal keeps its pushes.",
    }), async () => {
        if ((await attempt(app, () => app.api.delete(path))) !== undefined) app.navigate("#/devices");
    });
    const controls = deviceControls(change);
    const phone = lockScreen(act, dismiss);
    const apps = el("ul", { class: "v-apps" });
    const noApps = el("div", {});
    const formerApps = el("ul", { class: "v-former" });
    const former = fold("Former tokens", formerApps);
    const inbox = el("section", { class: "v-section" });
    const noticed = el("section", { class: "v-section" });
    const settings = deviceSettings(change);
    const body = el("div", { class: "v-device" },
        el("div", { class: "v-device-text" },
            el("header", { class: "spread v-device-head" }, heading, remove),
            facts, controls,
            el("section", { class: "v-section" },
                el("h3", {}, "Apps"), noApps, apps, former,
                fold("Install an app", newAppForm(app, id, installed))),
            inbox, noticed,
            fold("Name, language, system, summary, Focus", settings)),
        el("aside", { class: "v-device-phone" }, phone,
            el("div", { class: "row v-phone-buttons" }, button("Clear the screen", clear))));
    // The body comes with what is in it: whoever types into an empty form would send the rest of it empty.
    const node = el("div", { class: "v-page" }, el("a", { class: "v-back small", href: "#/devices" }, "Devices"));
    let device = null;

    async function change(members) {
        const changed = await watch.during(() => attempt(app, () => app.api.patch(path, members)));
        if (changed === undefined && device) controls.set(device);
        return changed;
    }

    /** The token of the app that was installed here, until it is shown. */
    let newToken = null;
    function installed({ topic, token }) {
        newToken = token;
        app.toast(`Installed ${topic}.`);
        watch.now();
    }

    async function act(sequence, action, text) {
        const body = text === undefined ? { action } : { action, text };
        const told = await watch.during(() => attempt(
            app, async () => ({ answer: await app.api.post(`${path}/screen/${sequence}/actions`, body) })));
        if (told === undefined) return false;
        if (action !== "dismiss" || told.answer !== null) {
            app.toast(told.answer === null ? "Dismissed" : `The app was told: ${told.answer.action ?? action}`);
        }
        return true;
    }

    async function dismiss(activity) {
        await watch.during(() => attempt(app, () => app.api.delete(`${path}/activities/${part(activity)}`)));
    }

    async function clear() {
        await watch.during(() => attempt(app, () => app.api.delete(`${path}/screen`)));
    }

    async function refresh(signal) {
        device = await app.api.get(path, { signal });
        const [screen, clock, arrivals] = await Promise.all([
            app.api.get(`${path}/screen`, { signal }),
            app.api.get("/v1/clock", { query: device.scope === null ? {} : { scope: device.scope }, signal }),
            app.api.get(`${path}/inbox`, { query: { order: "desc", limit: inboxListed }, signal }),
        ]);
        failure = null;
        if (!body.isConnected) refill(node, node.firstChild, body);
        show(screen, clock, arrivals);
    }

    function show(screen, clock, arrivals) {
        heading.textContent = device.name;
        const waiting = [
            device.stored > 0 && `${device.stored} stored`, device.deferred > 0 && `${device.deferred} deferred`,
        ];
        refill(facts,
            device.name === device.id ? null : el("code", {}, device.id),
            chip(`${device.model} · ${device.platform} ${device.osVersion}`),
            chip(device.environment), device.scope ? chip(`scope ${device.scope}`) : null,
            device.user ? chip(`user ${device.user}`) : null, chip(device.languages.join(", ") || device.locale),
            device.summary ? chip(`summary ${device.summary.times.join(", ")} UTC`) : null,
            screen.held.length > 0 ? chip(`${screen.held.length} for the summary`, "warn") : null,
            waiting.filter(Boolean).map((text) => chip(text, "warn")));
        controls.set(device);
        settings.set(device);

        const key = (one) => `${one.environment} ${one.topic} ${one.token ?? ""}`;
        const isFormer = (one) => one.state === "unregistered" || one.state === "expired";
        const present = device.registrations.filter((one) => !isFormer(one));
        const ended = device.registrations.filter(isFormer);
        refill(noApps, present.length > 0
            ? [] : empty("No apps", "A device without apps has no token to push to.", advice("Install an app below.")));
        reconcile(apps, present, key, () => appCard(app, path, watch),
            (card, one) => {
                card.show(one, screen.badges[one.topic] ?? null);
                if (one.webPush === null || one.token !== newToken) return;
                newToken = null;
                card.showSubscription();
            });
        former.hidden = ended.length === 0;
        former.firstChild.textContent = count(ended.length, "former token");
        refill(formerApps, ended.map((one) => el("li", {},
            el("code", {}, one.token ?? "no token"), ` ${one.topic} `, chip(one.state))));
        refill(inbox, ...inboxList(arrivals, device));
        refill(noticed, ...noticedList(screen));

        const readAt = Date.now();
        phone.show({ device, screen, now: () => presentTime(app, clock, readAt) });
    }

    let failure = null;
    function failed(error) {
        if (error.status !== 404) {
            // Shown once; the page's frame shows when the server is unreachable.
            const isNew = error.status !== undefined && failure !== sentence(error);
            if (isNew) app.toast(sentence(error), { kind: "error" });
            failure = sentence(error);
            return;
        }
        refill(node, node.firstChild, empty(
            `No device ${id}`, "It was removed, or its ID is different.", advice("Add it with:"),
            command(app, `mynah device add ${id} --app com.example.app`)));
    }

    const watch = live(app, {
        refresh, failed, every: 3000,
        concerns: ({ type, data }) => {
            if (type === "clock") return true;
            if (type === "device") return data?.id === id;
            if (type === "activity") return data?.device === id;
            return (type === "notification" || type === "outcome") && data?.device === id;
        },
    });
    const clockwork = setInterval(phone.tick, 1000);
    node.stop = () => {
        clearInterval(clockwork);
        watch.stop();
    };
    return node;
}

/** The members with few values, each as a choice, in their order; with the Focus and the paired watch. */
function deviceControls(change) {
    const names = el("datalist", { id: "v-focus-names" }, focusNames.map((name) => el("option", { value: name })));
    const own = { focus: focusField(names.id, change), watch: watchChoice(change) };
    const controls = deviceMembers.flatMap((member) => {
        const control = own[member.name] ?? (member.values.length > 0 ? valueChoice(member, change) : null);
        return control ? [control] : [];
    });
    const node = el("div", { class: "v-controls" }, controls, names);
    node.set = (device) => controls.forEach((one) => one.show(device));
    return node;
}

function valueChoice({ name, values, platforms }, change) {
    const { label = labelOf(name), on = "Yes", off = "No" } = flagWords[name] ?? {};
    const titleOf = (value) => (typeof value === "string" ? labelOf(value) : value ? on : off);
    const node = choice(label, values.map((value) => [value, titleOf(value)]), (value) => change({ [name]: value }));
    node.show = (device) => {
        node.hidden = !platforms.includes(device.platform);
        node.set(device[name]);
    };
    return node;
}

function focusField(list, change) {
    // Whom the Focus lets through stays when it gets another name.
    let allowed = {};
    const node = field("Focus", { list, placeholder: "none", onChange: () => {
        const name = node.input.value.trim();
        change({ focus: name ? { ...allowed, name } : null });
    } });
    node.show = (device) => {
        node.hidden = device.platform === "tvOS";
        allowed = typeof device.focus === "string" ? {} : device.focus ?? {};
        if (document.activeElement !== node.input) node.input.value = focusName(device) ?? "";
    };
    return node;
}

function watchChoice(change) {
    const node = choice("Apple Watch",
        [["none", "None"], ["worn", "Worn"], ["locked", "Locked"], ["off", "Off wrist"]],
        (value) => change({ watch: value === "none" ? null : { worn: value !== "off", locked: value !== "worn" } }));
    node.show = (device) => {
        node.hidden = device.platform !== "iOS";
        node.set(!device.watch ? "none" : !device.watch.worn ? "off" : device.watch.locked ? "locked" : "worn");
    };
    return node;
}

function focusName(device) {
    return typeof device.focus === "string" ? device.focus : device.focus?.name;
}

/** The parts of a list, with commas or another separator between them. */
function listed(text, separator = ",") {
    return text.split(separator).map((part) => part.trim()).filter(Boolean);
}

/** A field of a text, or of several with commas between them. */
function textField({ name, kind, hint, isClearable }) {
    const { label, placeholder, separator = ",", hint: own = hint } = textWords[name] ?? {};
    const node = field(label ?? labelOf(name), placeholder ? { placeholder } : {}, own);
    node.show = (value) => (node.input.value = kind === "texts" ? value.join(", ") : value ?? "");
    node.read = () => {
        const text = node.input.value;
        if (kind === "texts") return listed(text, separator);
        return isClearable ? text.trim() || null : text;
    };
    return node;
}

function deviceSettings(change) {
    const first = Object.keys(textWords);
    const isText = ({ kind }) => kind === "text" || kind === "texts";
    const place = ({ name }) => (first.includes(name) ? first.indexOf(name) : first.length);
    const texts = deviceMembers.filter(isText).toSorted((one, other) => place(one) - place(other))
        .map((member) => ({ name: member.name, field: textField(member), pointer: `/${member.name}` }));
    const times = field("Scheduled summary", { placeholder: "08:00, 18:00" },
        "Times of the day in UTC; empty for none.");
    const summaryApps = field("Apps in the summary", { placeholder: "com.example.app" }, "Their topics.");
    const focusApps = field("Apps through the Focus", { placeholder: "com.example.app" }, "Their topics.");
    const people = field("People through the Focus", { placeholder: "Kim, Lee" },
        "The senders of communication notifications.");
    let focus;
    const fields = [
        ...texts,
        { field: times, pointer: "/summary/times" }, { field: summaryApps, pointer: "/summary/apps" },
        { field: focusApps, pointer: "/focus/apps" }, { field: people, pointer: "/focus/people" },
    ];
    const node = form(fields, "Save",
        () => change({
            ...Object.fromEntries(texts.map(({ name, field: one }) => [name, one.read()])),
            ...(times.hidden ? {} : { summary: summary() }),
            ...(people.hidden ? {} : {
                focus: { name: focus, apps: listed(focusApps.input.value), people: listed(people.input.value) },
            }),
        }), { shows: true });
    function summary() {
        const schedule = { times: listed(times.input.value), apps: listed(summaryApps.input.value) };
        return schedule.times.length + schedule.apps.length > 0 ? schedule : null;
    }
    node.set = (device) => {
        focus = focusName(device);
        focusApps.hidden = people.hidden = focus === undefined;
        times.hidden = summaryApps.hidden = !["iOS", "iPadOS"].includes(device.platform);
        if (node.contains(document.activeElement)) return;
        texts.forEach(({ name, field: one }) => one.show(device[name]));
        times.input.value = device.summary?.times.join(", ") ?? "";
        summaryApps.input.value = device.summary?.apps.join(", ") ?? "";
        focusApps.input.value = device.focus?.apps?.join(", ") ?? "";
        people.input.value = device.focus?.people?.join(", ") ?? "";
    };
    return node;
}
