// Live Activities: their cards on the lock screen, and the most relevant one in the Dynamic Island.
import { el } from "../core/dom.js";
import { refill, reconcile } from "./refill.js";
import { appIcon } from "./parts.js";
import { ago, appName, localTime } from "./words.js";

const suffix = ".push-type.liveactivity";
const stateNames = { stale: "Stale", ended: "Ended" };

/** The list of the activities on the screen; `dismiss(id)` takes one off. */
export function activityList(dismiss) {
    const node = el("ol", { class: "v-activities", "aria-label": "Live Activities" });
    node.show = (activities, device, now) => {
        node.hidden = activities.length === 0;
        reconcile(node, activities, (activity) => activity.id, () => activityCard(dismiss),
            (card, activity) => updateCard(card, activity, device, now));
    };
    return node;
}

function activityCard(dismiss) {
    const face = el("div", { class: "v-activity-face" });
    const former = el("ol", { class: "v-activity-history" });
    const past = el("details", { class: "v-activity-past" }, el("summary", {}), former);
    const clear = el("button", { type: "button", class: "v-note-clear", "aria-label": "Dismiss" });
    const node = el("li", { class: "v-note v-activity" }, face, past, clear);
    clear.addEventListener("click", () => dismiss(node.dataset.activity));
    Object.assign(node, { face, past, former });
    return node;
}

function updateCard(node, activity, device, now) {
    node.dataset.activity = activity.id;
    node.dataset.state = activity.state;
    const app = appOf(activity, device);
    const last = activity.history[activity.history.length - 1]?.at ?? activity.startedAt;
    refill(node.face,
        el("p", { class: "v-note-head" },
            el("span", { class: "v-note-app" }, appName(app.topic, app.registration)),
            el("time", { datetime: last }, ago(Date.parse(last), now, device.locale))),
        el("p", { class: "v-activity-type" }, activity.attributesType ?? "Live Activity",
            stateNames[activity.state] ? el("span", { class: "v-note-level" }, stateNames[activity.state]) : null),
        stateTable(activity.contentState));
    node.face.title = `Activity ${activity.id}, started ${localTime(activity.startedAt)}`;
    const earlier = activity.history.slice(0, -1).reverse();
    node.past.hidden = earlier.length === 0;
    refill(node.past.firstChild, `${earlier.length} earlier`);
    refill(node.former, earlier.map((update) => el("li", {},
        el("time", { datetime: update.at }, localTime(update.at)), stateTable(update.contentState))));
}

/** The members of a content state in lines; null for none. */
export function stateTable(contentState) {
    const members = Object.entries(contentState);
    if (members.length === 0) return null;
    return el("dl", { class: "v-activity-state" },
        members.map(([name, value]) => [el("dt", {}, name), el("dd", { dir: "auto" }, written(value))]));
}

function written(value) {
    return typeof value === "string" ? value : JSON.stringify(value);
}

/** The bundle ID in an activity's topic. */
export function bundleOf({ topic }) {
    return topic.endsWith(suffix) ? topic.slice(0, -suffix.length) : topic;
}

function appOf(activity, device) {
    const plain = bundleOf(activity);
    const registration = [plain, activity.topic]
        .map((topic) => device.registrations.find((one) => one.topic === topic && one.state === "active"))
        .find(Boolean);
    return { topic: plain, registration };
}

/** Fills the Dynamic Island of an iPhone that is in use with the most relevant running activity. */
export function showInIsland(island, activities, device) {
    const isShown = device.platform === "iOS" && !device.locked;
    const running = activities.filter((one) => one.state === "active" || one.state === "stale");
    const first = isShown ? running[0] : undefined;
    island.dataset.activity = first?.id ?? "";
    if (!first) {
        refill(island);
        return;
    }
    const app = appOf(first, device);
    const value = Object.values(first.contentState)[0];
    refill(island, appIcon(app.topic, app.registration, null),
        el("span", { class: "v-island-text" }, value === undefined ? first.attributesType ?? "" : written(value)));
}
