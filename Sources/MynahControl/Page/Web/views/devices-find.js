// Finds devices by a text.

import { ApiError } from "../core/api.js";

/** How many devices a list has at first. */
export const listed = 100;

const byLastPush = { sort: "lastPush", order: "desc" };

/** A page of devices; without any where the text can't be a token, whose length is a setting of the server. */
async function pageOf(app, query, signal) {
    try {
        return await app.api.get("/v1/devices", { query, signal });
    } catch (error) {
        if (error instanceof ApiError && error.problem.field === "token") return { items: [] };
        throw error;
    }
}

/** The devices that match a text: listed ones that contain it first, then what the server finds. */
export async function findDevices(app, text, filters = {}, { signal, limit = listed } = {}) {
    const all = await app.api.get("/v1/devices", { query: { ...filters, limit, ...byLastPush }, signal });
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
        // What can't be an ID, a topic or a scope is refused as one.
        const isName = /^[\w.:@-]+$/.test(text);
        const isTopic = /^\w[\w.-]*$|^https:\/\/[\w.:-]+$/.test(text);
        const isScope = /^[\w.-]{1,64}$/.test(text) && !filters.scope;
        const queries = [
            ...(isName ? [{ device: text }, { after: text }] : []), ...(isTopic ? [{ topic: text }] : []),
            ...(isScope ? [{ scope: text }] : []), ...(isHex ? [{ token: text }] : []),
        ];
        const pages = await Promise.all(queries.map((query) => pageOf(app, { ...filters, ...query, limit }, signal)));
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
