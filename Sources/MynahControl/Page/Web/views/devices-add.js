// Forms that add a device, and an app to a device.
import { el } from "../core/dom.js";
import { choice, field, form, select, toggle } from "./parts.js";
import { keyMaker } from "./web-push-keys.js";
import { part, workers } from "./words.js";

/** The form's path below `#/devices/`: no device can have this ID. */
export const newDeviceRoute = "+new";
const platforms = ["iOS", "iPadOS", "macOS", "watchOS", "tvOS", "visionOS"];
const environments = ["sandbox", "production"];

/** A category that shows what actions look like. */
const sampleCategory = {
    id: "MESSAGE", customDismiss: true,
    actions: [
        { id: "REPLY", title: "Reply", textInput: true },
        { id: "READ", title: "Mark as read" },
        { id: "DELETE", title: "Delete", destructive: true },
    ],
};

/** The members that have a value. */
function given(members) {
    return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== "" && value !== undefined));
}

/** The form for a new device, or a fleet. */
export function newDeviceForm(app) {
    const id = field("ID", { placeholder: "kims-phone", maxlength: "128" },
        "Letters, digits and . _ - : @; leave empty to generate one.");
    const name = field("Name", { placeholder: "Kim's iPhone" });
    const topic = field("App", { placeholder: "com.example.app" },
        "The topic of an installed app; you can add more later.");
    const platform = select("Platform", platforms);
    const environment = select("Environment", [["", "the server's"], ...environments]);
    const scope = field("Scope", { placeholder: "none" }, "Separates tests that share this server.");
    const fleet = field("How many", { type: "number", min: "1", max: "1000000", placeholder: "1" },
        "More than one creates a fleet: id-00001, id-00002, …");
    const sample = toggle("Add a sample category MESSAGE: reply, mark as read, delete", () => {});
    async function send() {
        const registration = {
            topic: topic.input.value.trim(), ...(sample.input.checked ? { categories: [sampleCategory] } : {}),
        };
        const made = await app.api.post("/v1/devices", given({
            id: id.input.value.trim(), name: name.input.value.trim(), platform: platform.input.value,
            environment: environment.input.value, scope: scope.input.value.trim(),
            count: fleet.input.value ? Number(fleet.input.value) : undefined,
            registrations: registration.topic ? [registration] : undefined,
        }));
        const first = made.items ? made.items[0] : made;
        app.navigate(`#/devices/${part(first.id)}`);
    }
    const fields = [
        { field: id, pointer: "/id" }, { field: name, pointer: "/name" }, { field: topic, pointer: "/registrations" },
        { field: sample }, { field: platform }, { field: environment }, { field: scope, pointer: "/scope" },
        { field: fleet, pointer: "/count" },
    ];
    return el("div", { class: "v-page" },
        el("a", { class: "v-back small", href: "#/devices" }, "Devices"),
        el("h2", {}, "Add a device"),
        form(fields, "Add device", send, { more: [el("a", { class: "btn", href: "#/devices" }, "Cancel")] }));
}

/** The form that installs an app or a web app on a device; it calls `done(registration)`. */
export function newAppForm(app, id, done) {
    const kind = choice("Kind", [["app", "App"], ["web", "Web app"]], showKind);
    const topic = field("Topic", { placeholder: "com.example.app", required: true, maxlength: "255" });
    const origin = field("Origin", { placeholder: "https://shop.example", required: true, maxlength: "255" },
        "Where the web app is; it is the topic of its pushes.");
    const key = field("Application server key",
        { class: "input mono", placeholder: "BNfJG…", required: true, maxlength: "128" },
        "What the web app gives to subscribe(): the sender's public key, 65 bytes in base64url.");
    const keys = keyMaker((publicKey) => (key.input.value = publicKey));
    const worker = select("Service worker", workers);
    const environment = select("Environment", [["", "the device's"], ...environments]);
    const sample = toggle("Add a sample category MESSAGE: reply, mark as read, delete", () => {});
    let isWeb = false;
    function showKind(value) {
        kind.set(value);
        isWeb = value === "web";
        for (const one of [origin, key, keys, worker]) one.hidden = !isWeb;
        for (const one of [topic, environment, sample]) one.hidden = isWeb;
        // Browsers ask for a required field also where it is hidden.
        for (const one of [origin, key]) one.input.disabled = !isWeb;
        topic.input.disabled = isWeb;
    }
    function specification() {
        if (isWeb) {
            return {
                kind: "web", topic: origin.input.value.trim(), applicationServerKey: key.input.value.trim(),
                worker: worker.input.value,
            };
        }
        return given({
            topic: topic.input.value.trim(), environment: environment.input.value,
            categories: sample.input.checked ? [sampleCategory] : undefined,
        });
    }
    async function send() {
        const registration = await app.api.post(`/v1/devices/${part(id)}/registrations`, specification());
        topic.input.value = origin.input.value = "";
        done(registration);
    }
    showKind("app");
    return form([
        { field: kind, pointer: "/kind" }, { field: topic, pointer: "/topic" }, { field: origin, pointer: "/topic" },
        { field: key, pointer: "/applicationServerKey" }, keys, { field: worker, pointer: "/worker" },
        { field: environment, pointer: "/environment" }, { field: sample },
    ], "Install", send);
}
