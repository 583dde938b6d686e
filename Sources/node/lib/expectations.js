/** Expectations and their results, in the words of `mynah expect`. */
"use strict";
const { MissingError } = require("./errors.js");
const { Notification } = require("./records.js");

/** The most characters of a value in a message. */
const VALUE_CHARACTERS = 400;
/** How much of a device's id a message shows. */
const DEVICE_CHARACTERS = 24;
/** Control characters, and those that change the direction of writing. */
const HARMFUL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/gu;

/** The result of an expectation; as text like the output of `mynah expect`. */
class ExpectationResult {
  #expectation;

  constructor(document, expectation) {
    const { met, matched, items, failedAt, nearest, hints, evicted, lastSequence } = document;
    Object.assign(this, { met, matched, failedAt, hints, evicted, lastSequence });
    this.items = items.map((item) => new Notification(item));
    this.nearest = nearest.map(({ push, differences }) => ({ push: new Notification(push), differences }));
    this.#expectation = expectation;
    Object.freeze(this);
  }

  /** The only push that matched. */
  get push() {
    if (this.matched !== 1) throw new MissingError(`${this.matched} pushes matched: expected one`);
    return this.items[0];
  }

  toString() {
    const lines = [this.#verdict()];
    if (!this.met && this.failedAt !== null) lines.push(`step ${this.failedAt} of inOrder has no push`);
    for (const near of this.nearest) lines.push(...nearLines(near));
    return [...lines, ...this.hints.map((hint) => `hint: ${printable(hint)}`)].join("\n");
  }

  #verdict() {
    let pushes = this.matched === 1 ? "1 push matched" : `${this.matched} pushes matched`;
    if (this.items.length > 0) {
      pushes += `: ${this.items.map((item) => item.sequence).join(", ")}`;
      pushes += this.matched > this.items.length ? ", …" : "";
    }
    return this.met ? `met: ${pushes}` : `unmet: ${pushes}; expected ${wanted(this.#expectation)}`;
  }
}

/** What was expected: `at least 1 within 5s`. */
function wanted({ within = "5s", settle, inOrder, count = {} }) {
  const quiet = settle === undefined ? "" : `, and then ${settle} of quiet`;
  if (inOrder?.length > 0) return `${inOrder.length} in order within ${within}`;
  const most = count.exactly ?? count.max;
  const least = count.exactly ?? count.min ?? (most === undefined ? 1 : 0);
  return (least === 0 ? range(least, most) : `${range(least, most)} within ${within}`) + quiet;
}

function range(least, most) {
  if (most === 0) return "none";
  if (least === most) return `exactly ${least}`;
  if (most === undefined) return `at least ${least}`;
  return least === 0 ? `at most ${most}` : `${least} to ${most}`;
}

function nearLines({ push, differences }) {
  const answer = push.status === null ? push.outcome : `${push.status} ${push.outcome}`;
  const device = push.device?.slice(0, DEVICE_CHARACTERS);
  const facts = [`push ${push.sequence}`, push.receivedAt.slice(11, 23), answer, push.topic, device];
  const heading = facts.filter((fact) => fact !== null && fact !== undefined).map(printable).join(", ");
  return [
    `near miss: ${heading} (- expected, + actual)`,
    ...differences.flatMap(({ field, expected, actual }) => [
      `  - ${printable(field)} ${valueText(expected)}`,
      `  + ${printable(field)} ${valueText(actual)}`,
    ]),
  ];
}

function valueText(value) {
  const text = JSON.stringify(value);
  const characters = [...text];
  if (characters.length <= VALUE_CHARACTERS) return printable(text);
  return printable(`${characters.slice(0, VALUE_CHARACTERS).join("")}… (${characters.length} characters)`);
}

function printable(text) {
  return String(text).replace(HARMFUL, " ");
}

module.exports = { ExpectationResult };
