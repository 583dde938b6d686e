"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.
const { checked, members, segment } = require("../documents.js");
const { recordOf } = require("../records.js");
const { known } = require("../words.js");

class FaultCalls {
  /** A new snapshot of the rule. */
  async refresh() {
    const answer = await this.control.call("GET", `/v1/faults/${segment(this.id)}`);
    return recordOf("Fault", answer, this.control);
  }

  /** Changes members of the rule; gives the changed rule. */
  async change(options) {
    const rest = checked("change", options, known.fault.change);
    const answer = await this.control.call("PATCH", `/v1/faults/${segment(this.id)}`, { body: members(rest) });
    return recordOf("Fault", answer, this.control);
  }

  /** Removes the rule. */
  async remove() {
    await this.control.call("DELETE", `/v1/faults/${segment(this.id)}`);
  }
}

module.exports = { FaultCalls };
