"use strict";
const { FaultCalls } = require("./calls/fault.js");
const { ArgumentError, UnmetError } = require("./errors.js");
const { checked, duration, hintFor, members, segment, shown } = require("./documents.js");
const { fill } = require("./records.js");
const { presets, reasons } = require("./words.js");

/** A snapshot of a fault rule, with the members of the API. */
class Fault extends FaultCalls {
  constructor(document, control) {
    super();
    fill(this, document, control);
  }

  /** The rule once it has fired `hits` times in all; an `UnmetError` if that takes longer than `within`. */
  async wait(options) {
    const { hits = 1, within = "5s" } = checked("wait", options, ["hits", "within"]);
    const query = { wait: duration(within), hits };
    const answer = await this.control.call("GET", `/v1/faults/${segment(this.id)}`, { query });
    if (!answer.timedOut) return new Fault(answer, this.control);
    const fired = `fault ${this.id} fired ${answer.fired} times within ${within}, expected ${hits}`;
    throw new UnmetError(`${fired}; ${answer.matched} requests matched ${JSON.stringify(answer.match)}`);
  }
}

/** An action in the API's form: a status to answer with its usual reason, a preset, a reason, or the API's object. */
function actionOf(action) {
  if (typeof action === "number") return { type: "respond", status: action };
  if (typeof action !== "string") return members(action);
  if (Object.hasOwn(presets, action)) return { ...presets[action] };
  if (reasons.includes(action)) return { type: "respond", reason: action };
  const known = [...Object.keys(presets), ...reasons];
  const all = `${Object.keys(presets).join(", ")}, a reason of APNs, or the API's object`;
  throw new ArgumentError(`unknown preset or reason ${shown(action)}: ${hintFor(action, known, all)}`);
}

/** One action with options of its own, or several in sequence, as members of a rule. */
function actionsOf(action, options) {
  if (typeof action === "number" || typeof action === "string") {
    const one = actionOf(action);
    // The body and the debug data are in its place.
    if ("body" in options || "debug" in options) delete one.reason;
    return { action: { ...one, ...options } };
  }
  if (Object.keys(options).length > 0) {
    const names = Object.keys(options).join(", ");
    const hint = "expected as a member of the action's object, or with one preset or status alone";
    throw new ArgumentError(`${names}: ${hint}`);
  }
  return Array.isArray(action) ? { actions: action.map(actionOf) } : { action: actionOf(action) };
}

module.exports = { Fault, actionsOf };
