// A virtual list: only the visible rows are in the document. Which pushes are its rows is decided in feed.js.

import { el } from "../core/dom.js";
import { deviceName, moment } from "../core/format.js";
import { outcomeOf, statusKind } from "./summary.js";

const rowHeight = 60;
/** Rows beyond each edge, so that fast scrolling shows no gap. */
const overscan = 8;
/** How close to the end older rows are loaded. */
const endMargin = 40;

function makeRow(index) {
    const parts = {
        status: el("span", { class: "row-status" }),
        news: el("span", { class: "visually-hidden" }),
        title: el("span", { class: "row-title truncate", dir: "auto" }),
        body: el("span", { class: "row-body truncate", dir: "auto" }),
        time: el("span", { class: "row-time tabular" }),
        about: el("span", { class: "row-about truncate" }),
        marks: el("span", { class: "row-marks" }),
        outcome: el("span", { class: "row-outcome" }),
    };
    const element = el(
        "div", { class: "row-item", role: "option", id: `row-${index}`, "aria-selected": "false" },
        parts.status, parts.news,
        el("span", { class: "row-line row-first" }, parts.title, " ", parts.body), parts.time,
        el("span", { class: "row-line row-second" }, parts.about, parts.marks), parts.outcome);
    return { element, parts, row: null };
}

function setText(element, text) {
    if (element.textContent !== text) element.textContent = text;
}

function mark(text, kind) {
    return el("span", { class: `chip chip-${kind}` }, text);
}

function show(slot, row) {
    if (slot.row === row) return;
    slot.row = row;
    const { parts } = slot;
    setText(parts.status, row.status === null ? "–" : String(row.status));
    parts.status.className = `row-status is-${statusKind(row.status)}`;
    setText(parts.title, row.title);
    parts.title.classList.toggle("is-quiet", row.isQuiet);
    setText(parts.body, row.body);
    setText(parts.time, moment(row.receivedAt));
    setText(parts.about, [deviceName(row), row.topic].filter(Boolean).join(" · "));
    parts.marks.replaceChildren(...[
        row.pushType !== "alert" && row.pushType && mark(row.pushType, ""),
        row.attempt > 1 ? mark(`attempt ${row.attempt}`, "warn")
            : row.repeats !== null && mark("repeated", ""),
        row.fault && mark(`fault ${row.fault}`, "accent"),
        row.warnings > 0 && mark(row.warnings === 1 ? "1 warning" : `${row.warnings} warnings`, "warn"),
        row.scope && mark(row.scope, ""),
    ].filter(Boolean));
    const [word, kind] = outcomeOf(row);
    setText(parts.outcome, word);
    parts.outcome.className = `row-outcome truncate is-${kind}`;
}

/** Calls `choose(sequence)` for a click or Enter, and `reachEnd()` near the end; marks rows that `isNew(sequence)`. */
export function makeList({ choose, reachEnd, moveAway, isNew }) {
    const space = el("div", { class: "list-space", role: "presentation" });
    const element = el("div", {
        class: "list", role: "listbox", tabindex: "0", "aria-label": "Pushes, newest first",
    }, space);
    const slots = [];
    let rows = [];
    let total = 0;
    /** Rows above this number are new. */
    let newAbove = Infinity;
    let cursor = null;
    let frame = 0;

    function render() {
        frame = 0;
        const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
        const visible = Math.ceil(element.clientHeight / rowHeight) + 2 * overscan;
        const end = Math.min(rows.length, first + visible);
        while (slots.length < end - first) {
            const slot = makeRow(slots.length);
            slots.push(slot);
            space.append(slot.element);
        }
        let active = null;
        for (const slot of slots) slot.element.hidden = true;
        for (let index = first; index < end; index += 1) {
            const slot = slots[index % slots.length];
            const row = rows[index];
            slot.element.hidden = false;
            slot.element.style.setProperty("transform", `translateY(${index * rowHeight}px)`);
            slot.element.setAttribute("aria-posinset", String(index + 1));
            slot.element.setAttribute("aria-setsize", String(total));
            slot.element.dataset.sequence = String(row.sequence);
            slot.element.classList.toggle("is-new", row.sequence > newAbove);
            const hasMark = isNew(row.sequence);
            slot.element.classList.toggle("is-unread", hasMark);
            setText(slot.parts.news, hasMark ? "New" : "");
            const isActive = row.sequence === cursor;
            slot.element.setAttribute("aria-selected", String(isActive));
            if (isActive) active = slot.element.id;
            show(slot, row);
        }
        if (active) element.setAttribute("aria-activedescendant", active);
        else element.removeAttribute("aria-activedescendant");
        if (end > rows.length - endMargin) reachEnd();
        moveAway(element.scrollTop > rowHeight / 2);
    }

    function schedule() {
        frame ||= requestAnimationFrame(render);
    }

    element.addEventListener("scroll", schedule, { passive: true });
    element.addEventListener("click", (event) => {
        const item = event.target.closest(".row-item");
        if (item) choose(Number(item.dataset.sequence));
    });
    const observer = new ResizeObserver(schedule);
    observer.observe(element);

    return {
        element,
        /** Shows rows; `added` of them are new in front. Keeps the scroll position. */
        update(newRows, newTotal, { added = 0, isNew: isOther = false } = {}) {
            newAbove = isOther ? Infinity : added ? newRows[added]?.sequence ?? 0 : newAbove;
            rows = newRows;
            total = newTotal;
            space.style.setProperty("height", `${rows.length * rowHeight}px`);
            if (isOther) element.scrollTop = 0;
            else if (added && element.scrollTop > rowHeight / 2) element.scrollTop += added * rowHeight;
            schedule();
        },
        /** Marks the row that the keys move from. */
        setCursor(sequence, { reveal = true } = {}) {
            cursor = sequence;
            const index = rows.findIndex((row) => row.sequence === sequence);
            if (reveal && index >= 0) {
                const top = index * rowHeight;
                const above = element.scrollTop - top;
                const below = top + rowHeight - element.scrollTop - element.clientHeight;
                // A neighbour scrolls just into view, a distant row to the middle.
                if (Math.max(above, below) > rowHeight) element.scrollTop = top - element.clientHeight / 2;
                else if (above > 0) element.scrollTop = top;
                else if (below > 0) element.scrollTop += below;
            }
            schedule();
        },
        /** Shows marks that have changed. */
        renew: schedule,
        get cursor() { return cursor; },
        toTop() { element.scrollTop = 0; },
        close() {
            observer.disconnect();
            cancelAnimationFrame(frame);
        },
    };
}
