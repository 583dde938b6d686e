// The only place that creates elements. Text is inserted as text: nothing in the page parses markup.

const svgNamespace = "http://www.w3.org/2000/svg";

function apply(element, name, value) {
    if (value === null || value === undefined || value === false) return;
    if (name.startsWith("on") && typeof value === "function") {
        element.addEventListener(name.slice(2).toLowerCase(), value);
    } else if (name === "style") {
        // The content security policy forbids style attributes, but not setting properties.
        for (const [property, text] of Object.entries(value)) element.style.setProperty(property, text);
    } else if (name === "dataset") {
        Object.assign(element.dataset, value);
    } else {
        element.setAttribute(name, value === true ? "" : String(value));
    }
}

function append(element, children) {
    for (const child of children) {
        if (child === null || child === undefined || child === false) continue;
        if (Array.isArray(child)) append(element, child);
        else if (child instanceof Node) element.append(child);
        else element.append(document.createTextNode(String(child)));
    }
}

/** What a field of a recorded run says. */
const lockedTitle = "Read-only: the run was recorded";
let isRecorded = false;

/** From now on, elements are made for a recorded run: see `el`. */
export function beginRecorded() { isRecorded = true; }

/** Disables a control for good, whatever a view does with it later. */
function lock(element) {
    element.disabled = true;
    Object.defineProperty(element, "disabled", { get: () => true, set: () => {} });
}

/** Takes an element away for good; the stylesheet hides it, whatever a view does with `hidden`. */
function withhold(element) {
    element.dataset.withheld = "";
    if (element.tagName === "BUTTON") lock(element);
}

/** Whether a recorded run lacks an element. */
export const isWithheld = (element) => element.dataset.withheld !== undefined;

function restrict(element) {
    if (element.matches("button, form")) {
        withhold(element);
    } else if (element.matches("input, select, textarea, fieldset")) {
        lock(element);
        element.title = lockedTitle;
    }
}

/**
 * An element with attributes, listeners (`on…`) and children; strings become text nodes.
 *
 * A recorded run can't be changed, so it has no buttons and forms, and its fields only show a value. Those that work
 * there too, since they only read, have `recorded: true`; what else it should lack has `recorded: false`.
 */
export function el(tag, attributes, ...children) {
    const { recorded, ...rest } = attributes ?? {};
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(rest)) apply(element, name, value);
    append(element, children);
    if (isRecorded && recorded === false) withhold(element);
    if (isRecorded && recorded === undefined) restrict(element);
    return element;
}

/** The same in SVG. */
export function svg(tag, attributes = {}, ...children) {
    const element = document.createElementNS(svgNamespace, tag);
    for (const [name, value] of Object.entries(attributes ?? {})) apply(element, name, value);
    append(element, children);
    return element;
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
    return element;
}

// Strokes on a 24 × 24 grid.
const paths = {
    pushes: "M4 6h16v10H9l-5 4z M8 10h8 M8 13h5",
    devices: "M7 3h10v18H7z M11 18h2",
    faults: "M12 4 2.500 20h19z M12 10v5 M12 17.500v.5",
    scenarios: "M5 5h14 M5 12h9 M5 19h5",
    connections: "M8 8H6a4 4 0 0 0 0 8h2 M16 8h2a4 4 0 0 1 0 8h-2 M8 12h8",
    clock: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16z M12 8v4l3 2",
    api: "M8 4H7a2 2 0 0 0-2 2v4l-2 2 2 2v4a2 2 0 0 0 2 2h1 M16 4h1a2 2 0 0 1 2 2v4l2 2-2 2v4a2 2 0 0 1-2 2h-1",
    connect: "M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z M9 12l2 2 4-4",
    search: "M10.500 4a6.500 6.500 0 1 0 0 13 6.500 6.500 0 0 0 0-13z M15.500 15.500 20 20",
    pause: "M9 5v14 M15 5v14",
    play: "M8 5l11 7-11 7z",
    bell: "M6 17V11a6 6 0 0 1 12 0v6l2 2H4z M10 21h4 M12 3v2",
    trash: "M4 7h16 M9 7V4h6v3 M6.500 7l1 13h9l1-13",
    close: "M6 6l12 12 M18 6 6 18",
    back: "M14 6l-6 6 6 6",
    up: "M6 14l6-6 6 6",
    down: "M6 10l6 6 6-6",
    copy: "M9 9h11v11H9z M5 15H4V4h11v1",
    download: "M12 4v11 M7 11l5 5 5-5 M5 20h14",
    send: "M4 12 20 4l-5 16-3.500-6.500z M11.500 13.500 20 4",
    help: "M9 9a3 3 0 1 1 4.500 2.600c-1 .6-1.500 1.200-1.500 2.400 M12 17.500v.5",
    sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8z M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.500 1.500 M17.500 17.500 19 19 "
        + "M19 5l-1.500 1.500 M6.500 17.500 5 19",
    moon: "M20 14.500A8 8 0 0 1 9.500 4 8 8 0 1 0 20 14.500z",
    system: "M4 5h16v11H4z M9 20h6 M12 16v4",
    check: "M5 12.500l4.500 4.500L19 7.500",
    other: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14z",
};

/** A decorative icon; a button with nothing else needs a label. */
export function icon(name) {
    return svg(
        "svg",
        {
            class: "icon", viewBox: "0 0 24 24", fill: "none", stroke: "currentColor", "stroke-width": "1.8",
            "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true", focusable: "false",
        },
        svg("path", { d: paths[name] ?? paths.other }));
}
