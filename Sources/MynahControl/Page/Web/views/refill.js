// Updates of the document that keep focus and scroll position; core/dom.js makes its elements.

/** Replaces the children, unless they look the same: focus and scroll position stay then. */
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
 * Updates a list of elements by key: an element whose key stays is kept, with its focus.
 *
 * `make(item)` builds a row once; `update(row, item)` updates a row, new ones too.
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

/** A unique element ID. */
export function uniqueId(stem) {
    lastId += 1;
    return `${stem}-${lastId}`;
}
