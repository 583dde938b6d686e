// What the list of devices shows: those that a call made before those that pushes made, each by their last push, and
// the devices of a fleet as one row.

const pageMax = 1000;
/** From this many devices on, a fleet is one row. */
const fleetMin = 3;

/** Up to `wanted` devices by their last push, and how many match. */
async function read(app, filters, wanted, signal) {
    const items = [];
    let page;
    do {
        const limit = Math.min(pageMax, wanted - items.length);
        const query = { ...filters, sort: "lastPush", order: "desc", limit, cursor: page?.nextCursor ?? undefined };
        page = await app.api.get("/v1/devices", { query, signal });
        items.push(...page.items);
    } while (page.nextCursor !== null && items.length < wanted);
    return { items, matched: page.matched };
}

/**
 * The first `wanted` rows `{key, device}` or `{key, stem, size, isOpen}`, in `rows`; how many there are, in `rowCount`;
 * and how many devices, in `matched`.
 *
 * @param opened The fleets whose devices have rows of their own.
 */
export async function readDevices(app, opened, wanted, signal) {
    const all = (await app.api.get("/v1/fleets", { query: { limit: pageMax }, signal })).items;
    const fleets = all.filter((fleet) => fleet.devices >= fleetMin);
    const folded = fleets.map((fleet) => fleet.id);
    const small = all.filter((fleet) => fleet.devices < fleetMin).map((fleet) => fleet.id);
    // The shorter one: addresses have limits.
    const single = small.length < folded.length ? { fleet: ["", ...small] } : { "!fleet": folded };
    const [named, unnamed, ...inFleets] = await Promise.all([
        read(app, { named: true, ...single }, wanted, signal), read(app, { named: false }, wanted, signal),
        ...folded.filter((id) => opened.has(id)).map((id) => read(app, { fleet: id }, wanted, signal)),
    ]);
    const heads = [
        ...named.items.map((device) => ({ last: device.inbox.last, rows: [rowOf(device)] })),
        ...fleets.map(({ id, devices, lastPush }) => {
            const isOpen = opened.has(id);
            const inFleet = isOpen ? inFleets.shift() : { items: [], matched: 0 };
            return { last: lastPush, rows: [
                { key: `fleet ${id}`, stem: id, size: devices, isOpen },
                ...inFleet.items.map((device) => ({ ...rowOf(device), isInFleet: true })),
            ] };
        }),
    ].toSorted((one, other) => (other.last ?? 0) - (one.last ?? 0));
    const openedCount = fleets.reduce((sum, fleet) => sum + (opened.has(fleet.id) ? fleet.devices : 0), 0);
    return {
        rows: [...heads.flatMap((head) => head.rows), ...unnamed.items.map(rowOf)].slice(0, wanted),
        rowCount: named.matched + fleets.length + openedCount + unnamed.matched,
        matched: named.matched + fleets.reduce((sum, fleet) => sum + fleet.devices, 0) + unnamed.matched,
    };
}

export function rowOf(device) {
    return { key: `device ${device.id}`, device };
}
