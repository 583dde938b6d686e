"use strict";
const { ClockCalls } = require("./calls/clock.js");
const { checked, duration, members } = require("./documents.js");

/** The clock of a scope's devices: storage, expiry, budgets, screens. Trust and connections use the server's. */
class Clock extends ClockCalls {
  /** Without a scope, the server's clock, which all tests share. */
  constructor(control, scope) {
    super();
    Object.defineProperty(this, "control", { value: control });
    this.scope = scope;
  }

  /**
   * Advances by a duration (`"2h"`), to a time, or to `"next"`, the next event due: `advance({ to: "next" })`.
   *
   * Everything due is in journals and inboxes when this is done.
   */
  async advance(by) {
    const { to } = typeof by === "object" && by !== null ? checked("advance", by, ["to"]) : {};
    const change = to === undefined ? { by: duration(by) } : { to };
    const body = members({ ...change, scope: this.scope });
    return Object.freeze(await this.control.call("POST", "/v1/clock/advance", { body }));
  }
}

module.exports = { Clock };
