// What the list of devices shows: those that a call made before those that pushes made, each by their last push, and
// the devices of a fleet as one row.

const pageSize = 200;
/** The most pages that are read; further devices are found by searching. */
const pagesMax = 10;
/** From this many devices on, a fleet is one row. */
const fleetMin = 3;

/** The ID of a fleet's device without its number; undefined for other devices. */
function stemOf(id) {
    return /^(.+)-\d{5,7}$/.exec(id)?.[1];
}

/**
 * Reads named or unnamed devices; of a fleet that continues on the next page, which is in `cut`, only what came first.
 * `sizes` has how many devices it has, if that is known.
 */
async function read(app, named, signal) {
    const items = [];
    const cut = new Set();
    let after;
    let matched;
    let isComplete = false;
    for (let count = 0; count < pagesMax; count += 1) {
        const page = await app.api.get("/v1/devices", { query: { named, limit: pageSize, after }, signal });
        items.push(...page.items);
        matched ??= page.matched;
        isComplete = page.nextCursor === null;
        if (isComplete) break;
        const last = page.items[page.items.length - 1].id;
        const stem = named ? stemOf(last) : undefined;
        if (stem !== undefined) cut.add(stem);
        // The colon follows the digits.
        after = stem === undefined ? last : `${stem}-:`;
    }
    const [only] = cut;
    const rest = items.filter((device) => stemOf(device.id) !== only).length;
    return { items, matched, cut, sizes: new Map(isComplete && cut.size === 1 ? [[only, matched - rest]] : []) };
}

/** All devices, named ones first, and how many there are. */
export async function readDevices(app, signal) {
    const [named, unnamed] = await Promise.all([read(app, true, signal), read(app, false, signal)]);
    return { items: [...byLastPush(named.items), ...byLastPush(unnamed.items)],
        matched: named.matched + unnamed.matched, cut: named.cut, sizes: named.sizes };
}

function byLastPush(devices) {
    return devices.toSorted(
        (one, other) => (other.inbox.last ?? 0) - (one.inbox.last ?? 0) || (one.id < other.id ? -1 : 1));
}

/** Rows `{key, device}` or `{key, stem, devices, isOpen}`; a fleet is where its device with the last push would be. */
export function rowsOf(devices, opened) {
    const fleets = new Map();
    for (const device of devices) {
        const stem = stemOf(device.id);
        if (stem !== undefined) fleets.set(stem, [...(fleets.get(stem) ?? []), device]);
    }
    const rows = [];
    for (const device of devices) {
        const stem = stemOf(device.id);
        const fleet = fleets.get(stem) ?? [];
        if (fleet.length < fleetMin) {
            rows.push({ key: `device ${device.id}`, device });
        } else if (fleet[0] === device) {
            const isOpen = opened.has(stem);
            rows.push({ key: `fleet ${stem}`, stem, devices: fleet, isOpen });
            if (isOpen) rows.push(...fleet.map((one) => ({ key: `device ${one.id}`, device: one, isInFleet: true })));
        }
    }
    return rows;
}
