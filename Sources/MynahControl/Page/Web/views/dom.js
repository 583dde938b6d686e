// What the views need beside `core/dom.js`: bringing what is shown up to date without losing focus or place.

/** Puts new children in the place of the old ones, unless they look the same: focus and scroll position stay then. */
export function refill(parent, ...children) {
    const kept = children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);
    const next = kept.map((child) => (typeof child === "string" ? document.createTextNode(child) : child));
    const isSame =
        next.length === parent.childNodes.length
            && next.every((child, index) => child.isEqualNode(parent.childNodes[index]));
    if (isSame) return false;
    parent.replaceChildren(...next);
    return true;
}

/**
 * Brings a list of elements up to date by key: an element whose key stays is kept where it is, with its focus.
 *
 * `make(item)` builds a row once; `update(row, item)` brings a row up to date, new ones too.
 */
export function reconcile(parent, items, key, make, update) {
    const rows = (parent.keyedRows ??= new Map());
    const wanted = new Set(items.map((item) => String(key(item))));
    for (const [name, row] of rows) {
        if (wanted.has(name)) continue;
        row.remove();
        rows.delete(name);
    }
    let place = parent.firstChild;
    for (const item of items) {
        const name = String(key(item));
        let row = rows.get(name);
        if (!row) {
            row = make(item);
            rows.set(name, row);
        }
        if (row === place) {
            place = place.nextSibling;
        } else {
            parent.insertBefore(row, place);
        }
        update(row, item);
    }
    return rows;
}

let lastId = 0;

/** An id that no other element of the page has. */
export function uniqueId(stem) {
    lastId += 1;
    return `${stem}-${lastId}`;
}
