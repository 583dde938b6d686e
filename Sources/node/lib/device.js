"use strict";
const { DeviceCalls } = require("./calls/device.js");
const { checked, duration, parameters, segment } = require("./documents.js");
const { MissingError, UnmetError } = require("./errors.js");
const { fill } = require("./records.js");

/** A snapshot of a device, with the members of the API; methods that change the device give a new one. */
class Device extends DeviceCalls {
  constructor(document, control) {
    super();
    fill(this, document, control);
  }

  /** The token of its only app; for several, see `tokenOf`. */
  get token() {
    const topics = [...new Set(this.registrations.map((app) => app.topic))];
    if (topics.length === 1) return this.tokenOf(topics[0]);
    const hint = `use tokenOf() with one of ${JSON.stringify(topics.sort())}`;
    throw new MissingError(`device ${this.id} has ${topics.length} apps: ${hint}`);
  }

  /** The present token of an app. */
  tokenOf(topic) {
    const apps = this.registrations.filter((app) => app.topic === topic);
    const tokens = apps.map((app) => app.token).filter((token) => token !== null && token !== undefined);
    if (tokens.length > 0) return tokens[tokens.length - 1];
    const last = apps[apps.length - 1];
    const why = last === undefined ? `it has no app ${topic}` : `its app ${topic} is ${last.state}`;
    throw new MissingError(`device ${this.id} has no token: ${why}`);
  }

  /** The arrivals, once there are `count`; an `UnmetError` if that takes longer than `within`. */
  async wait(options) {
    const known = ["count", "within", "kind"];
    const { count = 1, within = "5s", kind } = checked("wait", options, known);
    const page = await this.inbox({ kind, wait: duration(within), count });
    if (!page.timedOut) return page;
    const what = kind === undefined ? "pushes" : `pushes of kind ${kind}`;
    const numbers = page.items.map((arrival) => arrival.sequence);
    const told = `${page.matched} ${what} arrived on ${this.id} within ${within}`;
    throw new UnmetError(`${told}, expected ${count}: ${JSON.stringify(numbers)}`);
  }

  /**
   * Removes the notifications of all apps, or of the app `topic`, as that app or the user does, and gives how many.
   *
   * With `identifiers`, collapse ids or apns-ids, only those.
   */
  async clear(options) {
    const { topic, identifiers } = checked("clear", options, ["topic", "identifiers"]);
    if (identifiers?.length === 0) return 0;
    const query = parameters({ topic, identifier: identifiers });
    const answer = await this.control.call("DELETE", `/v1/devices/${segment(this.id)}/screen`, { query });
    return answer.removed.notifications;
  }

  /** Sets the number on an app's icon, as the app does; 0 removes it. */
  async setBadge(topic, badge) {
    const body = { badges: { [topic]: badge } };
    await this.control.call("PATCH", `/v1/devices/${segment(this.id)}/screen`, { body });
  }
}

module.exports = { Device };
