"use strict";
const { MynahServerCalls } = require("./calls/server.js");
const { Clock } = require("./clock.js");
const { LIST_MAX, checked, members, segment } = require("./documents.js");
const { MynahError } = require("./errors.js");
const { pageOf, recordOf } = require("./records.js");
const { Mynah } = require("./scope.js");
const { providerToken } = require("./signing.js");

/**
 * The lifetime of a provider token here: APNs accepts it for an hour, and refuses a new one within 20 minutes
 * (TooManyProviderTokenUpdates).
 */
const TOKEN_SECONDS = 50 * 60;

/** The most pages of a list that is read whole, from a server that may be none of Mynah's and give pages for ever. */
const PAGES_MAX = 10_000;

/** Whether a server was started here and has been stopped: set below, where its place is known. */
let isStopped;

/** A server, for the code under test and its tests; `startServer` and `connect` make one. */
class MynahServer extends MynahServerCalls {
  #place;
  #issued = null;

  static {
    isStopped = (server) => server.#place.isStopped;
  }

  /** `place` has `control`, `host`, `port`, `ca`, `key`, `keyId`, `teamId`, `folder()`, `close()` and `isStopped`. */
  constructor(place) {
    super();
    this.#place = place;
    Object.defineProperty(this, "control", { value: place.control });
  }

  // For the code under test

  /** The URL of the control API. */
  get url() {
    return this.control.url;
  }

  /** The host for pushes. */
  get host() {
    return this.#place.host;
  }

  /** The port for pushes. */
  get port() {
    return this.#place.port;
  }

  /** The URL for pushes: `https://localhost:2197`. */
  get apnsUrl() {
    return `https://${this.host.includes(":") ? `[${this.host}]` : this.host}:${this.port}`;
  }

  /** The CA to trust, PEM: the option `ca` of `node:http2`, `node:https` and `node:tls`. */
  get ca() {
    return this.#place.ca;
  }

  /** A file with the CA. */
  get caFile() {
    return this.#place.files().ca;
  }

  /** The development key that signs provider tokens, PEM; an error if the server uses its user's own keys. */
  get signingKey() {
    return this.#own("key");
  }

  /** A file with the development key, an `AuthKey_<KEYID>.p8`. */
  get keyFile() {
    this.#own("key");
    return this.#place.files().key;
  }

  /** The id of the development key. */
  get keyId() {
    return this.#own("keyId");
  }

  /** The team of the development key. */
  get teamId() {
    return this.#own("teamId");
  }

  /**
   * A provider token that the server accepts, for `authorization: bearer …`.
   *
   * It stays the same for 50 minutes of the server's clock, as APNs requires.
   */
  async providerToken() {
    const now = Math.floor(Date.parse((await this.status()).now) / 1000);
    const age = this.#issued === null ? -1 : now - this.#issued.at;
    if (age < 0 || age >= TOKEN_SECONDS) this.#issued = { at: now, token: providerToken(this, now) };
    return this.#issued.token;
  }

  #own(name) {
    const value = this.#place[name];
    if (value === null) throw new MynahError("the server uses its user's own keys, which it doesn't hand out");
    return value;
  }

  // The server itself

  /**
   * `starting`, `ready` or `stopping`, by a probe: `livez`, `healthz` or `readyz`.
   *
   * `readyz` throws a `ControlError` with status 503 unless it is ready.
   */
  async probe(name = "readyz") {
    return (await this.control.call("GET", `/${segment(name)}`)).status;
  }

  /** The server's clock, which all tests share. */
  get clock() {
    return new Clock(this.control, undefined);
  }

  /** The server's log; empty for a server that was not started here. */
  get logLines() {
    return this.#place.logLines;
  }

  /** The server as one test sees it. */
  scope(name) {
    return new Mynah(this, name);
  }

  /** All broadcast channels, of an app or an environment; those of providers too, in the order of creation. */
  async channels(options) {
    const { bundleId, environment } = checked("channels", options, ["bundleId", "environment"]);
    const channels = [];
    let cursor;
    for (let count = 0; count < PAGES_MAX; count++) {
      const query = members({ bundleId, environment, limit: LIST_MAX, cursor });
      const page = pageOf("Channel", await this.control.call("GET", "/v1/channels", { query }));
      channels.push(...page);
      if ((page.nextCursor ?? null) === null) return channels;
      if (page.items.length === 0) {
        throw new MynahError("the control API names a next page after an empty one: expected the end of the list");
      }
      if (page.nextCursor === cursor) {
        throw new MynahError("the control API names the same next page again: expected another one");
      }
      cursor = page.nextCursor;
    }
    throw new MynahError(`the control API has listed ${PAGES_MAX} pages of channels: expected an end`);
  }

  /** Starts a scenario of the program by its name, or one of one's own, for the whole server or a `scope`. */
  async startScenario(scenario, options) {
    const { scope } = checked("startScenario", options, ["scope"]);
    const body = members({ ...(typeof scenario === "string" ? { name: scenario } : scenario), scope });
    return recordOf("Scenario", await this.control.call("POST", "/v1/scenarios", { body }));
  }

  // The end

  /** Stops the server if it was started here. */
  close() {
    return this.#place.close();
  }
}

if (Symbol.asyncDispose) MynahServer.prototype[Symbol.asyncDispose] = MynahServer.prototype.close;

module.exports = { MynahServer, isStopped };
