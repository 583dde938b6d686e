"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.
const { members, parameters } = require("../documents.js");
const { recordOf } = require("../records.js");

class ClockCalls {
  /** The present time. */
  async now() {
    const answer = await this.control.call("GET", "/v1/clock", { query: parameters({ scope: this.scope }) });
    return new Date(answer.now);
  }

  /** `real`, `offset` or `frozen`. */
  async mode() {
    const answer = await this.control.call("GET", "/v1/clock", { query: parameters({ scope: this.scope }) });
    return answer.mode;
  }

  /** Freezes the clock, now or at a time. */
  async freeze(at) {
    const answer = await this.control.call("PUT", "/v1/clock", {
      body: members({ scope: this.scope, now: at, mode: "frozen" }),
    });
    return recordOf("ClockReport", answer, this.control);
  }

  /** Lets the clock run again from its present time. */
  async run() {
    const answer = await this.control.call("PUT", "/v1/clock", {
      body: members({ scope: this.scope, mode: "offset" }),
    });
    return recordOf("ClockReport", answer, this.control);
  }
}

module.exports = { ClockCalls };
