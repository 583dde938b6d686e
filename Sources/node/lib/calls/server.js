"use strict";
// Made by Sources/helpers/generate.py: change that, or what the program says.
const { LIST_MAX, checked, members, parameters, segment } = require("../documents.js");
const { pageOf, recordOf } = require("../records.js");
const { known } = require("../words.js");

class MynahServerCalls {
  /** What it is and does: version, ports, clock, counts. */
  async status() {
    const answer = await this.control.call("GET", "/v1/status");
    return answer;
  }

  /** Its counters, in Prometheus's text format. */
  async metrics() {
    const answer = await this.control.call("GET", "/metrics");
    return answer;
  }

  /** The OpenAPI document of the control API. */
  async openapi() {
    const answer = await this.control.call("GET", "/openapi.json");
    return answer;
  }

  /** The paths of the control API. */
  async index() {
    const answer = await this.control.call("GET", "/v1/");
    return answer;
  }

  /** What is there now, or in a `scope`, as a document for `mynah serve --fixtures`. */
  async fixtures(options) {
    const { scope } = checked("fixtures", options, known.server.fixtures);
    const answer = await this.control.call("GET", "/v1/fixtures", { query: parameters({ scope }) });
    return answer;
  }

  /** The CA, and the development key with its ids. */
  async credentials() {
    const answer = await this.control.call("GET", "/v1/credentials");
    return answer;
  }

  /** The CA, PEM. */
  async certificateAuthority() {
    const answer = await this.control.call("GET", "/ca.pem");
    return answer;
  }

  /**
   * Returns to the state of the start, of everything or of some kinds (`only`), or of a `scope`; gives how many of
   * each kind were removed.
   */
  async reset(options) {
    const rest = checked("reset", options, known.server.reset);
    const answer = await this.control.call("POST", "/v1/reset", { body: members(rest) });
    return answer.removed;
  }

  /** The scopes in use. */
  async scopes(options) {
    const { order, limit, cursor } = checked("scopes", options, known.server.scopes);
    const answer = await this.control.call("GET", "/v1/scopes", { query: parameters({ order, limit, cursor }) });
    return pageOf("ScopeUse", answer, this.control);
  }

  /** The fleets of devices, of all scopes. */
  async fleets(options) {
    const { order, limit, cursor } = checked("fleets", options, known.server.fleets);
    const answer = await this.control.call("GET", "/v1/fleets", { query: parameters({ order, limit, cursor }) });
    return pageOf("Fleet", answer, this.control);
  }

  /** Creates a broadcast channel, as a provider does, but with an `id` of one's choice if that is given. */
  async createChannel(bundleId, options) {
    const rest = checked("createChannel", options, known.server.createChannel);
    const answer = await this.control.call("POST", "/v1/channels", { body: members({ bundleId, ...rest }) });
    return recordOf("Channel", answer, this.control);
  }

  /** One broadcast channel. */
  async channel(id) {
    const answer = await this.control.call("GET", `/v1/channels/${segment(id)}`);
    return recordOf("Channel", answer, this.control);
  }

  /** Deletes a broadcast channel: a broadcast to it is ChannelNotRegistered from then on. */
  async deleteChannel(id) {
    const answer = await this.control.call("DELETE", `/v1/channels/${segment(id)}`);
    return recordOf("Channel", answer, this.control);
  }

  /** Deletes all broadcast channels; gives how many. */
  async deleteChannels() {
    const answer = await this.control.call("DELETE", "/v1/channels");
    return answer.removed.channels;
  }

  /** The keys of provider tokens that the server accepts, and those that were revoked. */
  async keys(options) {
    const { order, limit, cursor } = checked("keys", options, known.server.keys);
    const answer = await this.control.call("GET", "/v1/keys", { query: parameters({ order, limit, cursor }) });
    return pageOf("Key", answer, this.control);
  }

  /** One key. */
  async key(keyId) {
    const answer = await this.control.call("GET", `/v1/keys/${segment(keyId)}`);
    return recordOf("Key", answer, this.control);
  }

  /** Adds a key; without a `publicKey` or `privateKey`, a new one, whose `privateKey` is in the answer. */
  async addKey(options) {
    const rest = checked("addKey", options, known.server.addKey);
    const answer = await this.control.call("POST", "/v1/keys", { body: members(rest) });
    return recordOf("Key", answer, this.control);
  }

  /** Adds a key with this id, or replaces the one that has it. */
  async putKey(keyId, options) {
    const rest = checked("putKey", options, known.server.putKey);
    const answer = await this.control.call("PUT", `/v1/keys/${segment(keyId)}`, { body: members(rest) });
    return recordOf("Key", answer, this.control);
  }

  /** Revokes a key: its tokens are InvalidProviderToken from then on. */
  async revokeKey(keyId) {
    const answer = await this.control.call("DELETE", `/v1/keys/${segment(keyId)}`);
    return recordOf("Key", answer, this.control);
  }

  /** The provider certificates that the server issued. */
  async certificates(options) {
    const { order, limit, cursor } = checked("certificates", options, known.server.certificates);
    const answer = await this.control.call("GET", "/v1/certificates", { query: parameters({ order, limit, cursor }) });
    return pageOf("Certificate", answer, this.control);
  }

  /** One provider certificate. */
  async certificate(serialNumber) {
    const answer = await this.control.call("GET", `/v1/certificates/${segment(serialNumber)}`);
    return recordOf("Certificate", answer, this.control);
  }

  /** Issues a provider certificate for topics, with its private key. */
  async issueCertificate(topics, options) {
    const rest = checked("issueCertificate", options, known.server.issueCertificate);
    const answer = await this.control.call("POST", "/v1/certificates", {
      body: members({ topics: [topics].flat(), ...rest }),
    });
    return recordOf("Certificate", answer, this.control);
  }

  /** Revokes a provider certificate: a handshake with it fails from then on. */
  async revokeCertificate(serialNumber) {
    const answer = await this.control.call("DELETE", `/v1/certificates/${segment(serialNumber)}`);
    return recordOf("Certificate", answer, this.control);
  }

  /** The open connections of providers by filters; with `wait`, once `count` match or with `timedOut`. */
  async connections(options) {
    const {
      wait, count, order, limit = LIST_MAX, cursor, ...rest
    } = checked("connections", options, known.server.connections);
    const answer = await this.control.call("GET", "/v1/connections", {
      query: parameters({ wait, count, order, limit, cursor, ...rest }),
    });
    return pageOf("Connection", answer, this.control);
  }

  /** One open connection, by the number that pushes have as `connection`. */
  async connection(id) {
    const answer = await this.control.call("GET", `/v1/connections/${segment(id)}`);
    return recordOf("Connection", answer, this.control);
  }

  /** Closes a connection with GOAWAY, or with `abort` resets it. */
  async closeConnection(connection, options) {
    const { abort } = checked("closeConnection", options, known.server.closeConnection);
    await this.control.call("DELETE", `/v1/connections/${segment(connection?.id ?? connection)}`, {
      query: parameters({ abort }),
    });
  }

  /** The newest connections that ended before their first request, and why. */
  async failedHandshakes(options) {
    const { order, limit, cursor } = checked("failedHandshakes", options, known.server.failedHandshakes);
    const answer = await this.control.call("GET", "/v1/failed-handshakes", {
      query: parameters({ order, limit, cursor }),
    });
    return pageOf("FailedHandshake", answer, this.control);
  }

  /** The latest connections of providers that have closed. */
  async closedConnections(options) {
    const { order, limit, cursor } = checked("closedConnections", options, known.server.closedConnections);
    const answer = await this.control.call("GET", "/v1/closed-connections", {
      query: parameters({ order, limit, cursor }),
    });
    return pageOf("ClosedConnection", answer, this.control);
  }

  /** The scenarios that run, all or those of a `scope`, or with `shipped` those that are part of the program. */
  async scenarios(options) {
    const { shipped, scope, order, limit, cursor } = checked("scenarios", options, known.server.scenarios);
    const answer = await this.control.call("GET", "/v1/scenarios", {
      query: parameters({ shipped, scope, order, limit, cursor }),
    });
    return pageOf("Scenario", answer, this.control);
  }

  /** A scenario that runs, for the whole server or in a `scope`. */
  async scenario(name, options) {
    const { scope } = checked("scenario", options, known.server.scenario);
    const answer = await this.control.call("GET", `/v1/scenarios/${segment(name)}`, { query: parameters({ scope }) });
    return recordOf("Scenario", answer, this.control);
  }

  /** Ends a scenario, and removes its rules; gives how many of each kind. */
  async removeScenario(name, options) {
    const { scope } = checked("removeScenario", options, known.server.removeScenario);
    const answer = await this.control.call("DELETE", `/v1/scenarios/${segment(name)}`, {
      query: parameters({ scope }),
    });
    return answer.removed;
  }

  /** Ends all scenarios, or those of a `scope`, and removes their rules; gives how many of each kind. */
  async removeScenarios(options) {
    const { scope } = checked("removeScenarios", options, known.server.removeScenarios);
    const answer = await this.control.call("DELETE", "/v1/scenarios", { query: parameters({ scope }) });
    return answer.removed;
  }

  /** The device tokens and channels that are always answered the same. */
  async magicTokens(options) {
    const { order, limit, cursor } = checked("magicTokens", options, known.server.magicTokens);
    const answer = await this.control.call("GET", "/v1/magic-tokens", { query: parameters({ order, limit, cursor }) });
    return pageOf("MagicToken", answer, this.control);
  }
}

module.exports = { MynahServerCalls };
