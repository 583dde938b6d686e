/**
 * Starts one server for all files of tests: `globalSetup: "mynah/global-setup"` in the settings of Jest or Vitest, or
 * `node --test --test-global-setup`.
 *
 * Tests find it by the variables of `mynah exec`. Where `MYNAH_URL` is set, that server is used.
 */
"use strict";
const { startServer } = require("./starting.js");

let server;

async function setup() {
  if (process.env.MYNAH_URL) return teardown;
  server = await startServer();
  Object.assign(process.env, {
    MYNAH_URL: server.url, MYNAH_APNS_HOST: server.host, MYNAH_APNS_PORT: String(server.port),
    MYNAH_CA_FILE: server.caFile, MYNAH_KEY_FILE: server.keyFile, MYNAH_KEY_ID: server.keyId,
    MYNAH_TEAM_ID: server.teamId,
  });
  return teardown;
}

async function teardown() {
  const started = server;
  server = undefined;
  await started?.close();
}

// Jest and Vitest call the module, of which Vitest takes the teardown; Node calls the other two.
module.exports = setup;
Object.assign(module.exports, { teardown, globalSetup: setup, globalTeardown: teardown });
