/** What the control API answers, as values that can't be changed. */
"use strict";

/** A part of a list, which can be iterated. */
class Page {
  constructor({ items, matched, nextCursor, timedOut, evicted, lastSequence }) {
    Object.assign(this, { items: Object.freeze(items), matched, nextCursor, timedOut, evicted, lastSequence });
    Object.freeze(this);
  }

  [Symbol.iterator]() {
    return this.items[Symbol.iterator]();
  }
}

/** A push, accepted or refused, with its outcome. */
class Notification {
  constructor(document) {
    Object.assign(this, document);
    Object.freeze(this);
  }

  /** The first value of a header, by its name in lower case. */
  header(name) {
    return this.headers.find(([one]) => one === name)?.[1] ?? null;
  }
}

/**
 * Makes an object have the members of an answer, apart from those that are calls here, and `document`, the answer.
 *
 * What is no member of the answer is out of sight of what prints and compares values.
 */
function fill(object, document, control) {
  for (const [name, value] of Object.entries(document)) {
    if (!(name in object)) Object.defineProperty(object, name, { value, enumerable: true });
  }
  Object.defineProperty(object, "document", { value: document });
  Object.defineProperty(object, "control", { value: control });
  Object.freeze(object);
}

// They know the control API, which they are changed by.
const makers = {
  Device: (document, control) => new (require("./device.js").Device)(document, control),
  Fault: (document, control) => new (require("./fault.js").Fault)(document, control),
  Notification: (document) => new Notification(document),
};

/** A record of the answer. */
function recordOf(kind, document, control) {
  return makers[kind]?.(document, control) ?? Object.freeze(document);
}

/** A page of records. */
function pageOf(kind, document, control) {
  return new Page({ ...document, items: document.items.map((one) => recordOf(kind, one, control)) });
}

module.exports = { Notification, Page, fill, pageOf, recordOf };
