"use strict";
const { MynahCalls } = require("./calls/scope.js");
const { Clock } = require("./clock.js");
const { ANSWER_MILLISECONDS } = require("./control.js");
const { checked, duration, matchOf, members, scopeOf, segment, withApps } = require("./documents.js");
const { ArgumentError, ControlError, ExpectationUnmet } = require("./errors.js");
const { ExpectationResult } = require("./expectations.js");
const { actionsOf } = require("./fault.js");
const { recordOf } = require("./records.js");
const { sets } = require("./words.js");

/** The longest `within` and the longest `settle` that the server accepts. */
const EXPECTATION_MILLISECONDS = 3_600_000;
const DEVICE_OPTIONS = ["online", ...sets.DeviceSettings];
const FAULT_OPTIONS = ["scope", "match", ...sets.FaultSettings, ...sets.FaultOptions, ...sets.FaultFilters];
const LIMITS = ["count", "exactly", "max", "within", "settle", "after"];
const EXPECT_OPTIONS = ["scope", "match", "inOrder", "otherThan", ...LIMITS, ...sets.Filters];
const WAIT_OPTIONS = ["scope", "count", "within", ...sets.Filters];

/**
 * A server, and a scope in it.
 *
 * Devices and faults made here have the scope; lists, removals, expectations and the clock apply to it, unless
 * `scope: null` extends them to the whole server. A push belongs to the scope of its device.
 */
class Mynah extends MynahCalls {
  // The ids of rules outside the scope, which are removed with it.
  #sharedFaults = [];

  constructor(server, name) {
    super();
    Object.defineProperty(this, "server", { value: server });
    Object.defineProperty(this, "control", { value: server.control });
    this.name = name;
  }

  // For the code under test

  /** The host for pushes. */
  get host() {
    return this.server.host;
  }

  /** The port for pushes. */
  get port() {
    return this.server.port;
  }

  /** The URL for pushes: `https://localhost:2197`. */
  get apnsUrl() {
    return this.server.apnsUrl;
  }

  /** The CA to trust, PEM: the option `ca` of `node:http2`, `node:https` and `node:tls`. */
  get ca() {
    return this.server.ca;
  }

  /** A file with the CA. */
  get caFile() {
    return this.server.caFile;
  }

  /** The development key that signs provider tokens, PEM. */
  get signingKey() {
    return this.server.signingKey;
  }

  /** A file with the development key, an `AuthKey_<KEYID>.p8`. */
  get keyFile() {
    return this.server.keyFile;
  }

  /** The id of the development key. */
  get keyId() {
    return this.server.keyId;
  }

  /** The team of the development key. */
  get teamId() {
    return this.server.teamId;
  }

  /** A provider token that the server accepts, for `authorization: bearer …`. */
  providerToken() {
    return this.server.providerToken();
  }

  // To arrange

  /**
   * Makes a device with an app, or with several.
   *
   * With `online: false` the device goes offline after its apps have got their tokens.
   */
  async device(topics, options) {
    const { online = true, ...settings } = checked("device", options, DEVICE_OPTIONS);
    const body = members({ scope: this.name, ...withApps(topics, settings) });
    const made = recordOf("Device", await this.control.call("POST", "/v1/devices", { body }), this.control);
    return online ? made : made.change({ online: false });
  }

  /**
   * Adds a fault rule: `fault("slow", { delay: "5s" })`, `fault(403, { reason: "ExpiredProviderToken", times: 2 })`.
   *
   * `action` is a status to answer with its usual reason, a preset or a reason by the names of `mynah fault add`, the
   * API's object, or an array of these, one after the other. Options are members of the action, of the rule, and
   * filters; `match` has filters too. Connections have no scope, so a rule with an action on connections or handshakes,
   * like `"refuse"`, needs `scope: null`; it too is removed with the scope, but until then it also affects other tests
   * on the same server.
   */
  async fault(action, options) {
    const body = this.#ruleOf("fault", action, options);
    return this.#kept(await explainingScope(options, this.control.call("POST", "/v1/faults", { body })));
  }

  /** Makes a fault rule with this id, in place of the one that has it; otherwise like `fault`. */
  async putFault(id, action, options) {
    const body = this.#ruleOf("putFault", action, options);
    const call = this.control.call("PUT", `/v1/faults/${segment(id)}`, { body });
    return this.#kept(await explainingScope(options, call));
  }

  /**
   * Starts a scenario for this scope: one that is part of the program by its name, or one of one's own.
   *
   * One with rules of connections or handshakes needs a whole server: `server.startScenario`.
   */
  startScenario(scenario) {
    return this.server.startScenario(scenario, { scope: this.name });
  }

  /** The clock of this scope's devices. */
  get clock() {
    return new Clock(this.control, this.name);
  }

  // To assert

  /** The newest sequence number; as `after`, it selects later pushes. */
  async lastSequence() {
    return (await this.notifications({ scope: null, limit: 1 })).lastSequence;
  }

  /** Waits for pushes like `expect`, but gives the result also if it is unmet. */
  check(options) {
    return this.#check("check", options);
  }

  /**
   * Waits until pushes match: one, `count` or more, `exactly` or at most `max` of them, `within` 5 s.
   *
   * Filters are those of `POST /v1/expectations`: `{ topic: "com.example.app", screen: { "/title": "Hello" } }`.
   * `settle` waits for further pushes, `inOrder` is an array of matches; `{ max: 0, otherThan: […] }` says that no push
   * comes but those that these matches select. A broadcast is of no scope: `expect({ channel, scope: null })`. Throws
   * an `ExpectationUnmet` with the nearest pushes.
   */
  async expect(options) {
    const result = await this.#check("expect", options);
    if (!result.met) throw new ExpectationUnmet(result);
    return result;
  }

  /** Waits for `count` pushes that match; gives at most 100 of them, oldest first. Throws like `expect`. */
  async wait(options) {
    const { count = 1, ...filters } = checked("wait", options, WAIT_OPTIONS);
    return (await this.expect({ count, ...filters })).items;
  }

  async #check(call, options) {
    const given = checked(call, options, EXPECT_OPTIONS);
    const { scope, match, inOrder, otherThan, count, exactly, max, within, settle, after, ...filters } = given;
    const both = { ...match, ...matchOf(filters) };
    const isCounted = [count, exactly, max].some((one) => one !== undefined);
    if (inOrder !== undefined && (Object.keys(both).length > 0 || isCounted)) {
      throw new ArgumentError("inOrder: leave out filters and counts; each step has its own filters");
    }
    if (exactly !== undefined && (count !== undefined || max !== undefined)) {
      throw new ArgumentError("exactly: leave out count and max");
    }
    if (otherThan !== undefined && inOrder !== undefined) {
      throw new ArgumentError("otherThan: leave it out, because inOrder lets others come in between");
    }
    // "At most two" doesn't require one.
    const least = count ?? (max === undefined ? 1 : undefined);
    const counts = exactly === undefined ? { min: least, max } : { exactly };
    const limits = { within: within === undefined ? undefined : duration(within), after };
    const what = inOrder === undefined ? { match: both, count: counts, otherThan } : { inOrder };
    if (settle !== undefined) limits.settle = duration(settle);
    const body = members({ ...what, ...limits, scope: scopeOf(this.name, scope) });
    const timeout = 2 * EXPECTATION_MILLISECONDS + ANSWER_MILLISECONDS;
    return new ExpectationResult(await this.control.call("POST", "/v1/expectations", { body, timeout }), body);
  }

  #ruleOf(call, action, options) {
    const { scope, match, ...given } = checked(call, options, FAULT_OPTIONS);
    const of = (names) => Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
    const matched = { ...match, ...matchOf(of(sets.FaultFilters)) };
    const rule = { scope: scopeOf(this.name, scope), ...of(sets.FaultSettings), match: matched };
    return { ...members(rule), ...actionsOf(action, members(of(sets.FaultOptions))) };
  }

  #kept(document) {
    if (document.scope !== this.name) this.#sharedFaults.push(document.id);
    return recordOf("Fault", document, this.control);
  }

  // The end

  /** Removes everything of this scope; gives how many of each kind. */
  async remove() {
    while (this.#sharedFaults.length > 0) {
      try {
        await this.control.delete(`/v1/faults/${segment(this.#sharedFaults.pop())}`);
      } catch (error) {
        // The test has removed it.
        if (!(error instanceof ControlError) || error.status !== 404) throw error;
      }
    }
    return (await this.control.delete(`/v1/scopes/${segment(this.name)}`)).removed;
  }
}

/** Waits for a call, and adds to the refusal of a rule that can't have the scope that nobody gave what to pass. */
async function explainingScope(options, call) {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ControlError && options?.scope === undefined && error.field?.endsWith("scope")) {
      error.message += ": pass scope: null, for a rule of the whole server";
    }
    throw error;
  }
}

// `await using`, where the platform has it.
if (Symbol.asyncDispose) Mynah.prototype[Symbol.asyncDispose] = Mynah.prototype.remove;

module.exports = { Mynah };
