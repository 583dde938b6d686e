/** A scope for each test, of a server that all tests share. */
"use strict";
const { randomUUID } = require("node:crypto");
const { ArgumentError } = require("./errors.js");
const { isStopped } = require("./server.js");
const { connectFromEnvironment, startServer } = require("./starting.js");

/** The longest name of a scope, and how much of it makes it unique. */
const SCOPE_CHARACTERS = 64;
const UNIQUE_CHARACTERS = 12;

let shared;

/** The server of this process' tests: the one at `MYNAH_URL`, or one that is started at the first call. */
function sharedServer() {
  shared ??= process.env.MYNAH_URL ? connectFromEnvironment() : startServer();
  return shared;
}

/**
 * A scope of its own for one test: `const mynah = await openScope(t)`.
 *
 * `test` is the context of `node:test` or Vitest, which removes the scope at the end of the test, or a readable name
 * for a scope that you remove yourself.
 */
async function openScope(test = "", { server } = {}) {
  const { name, atEnd } = contextOf(test);
  const unique = randomUUID().replaceAll("-", "").slice(0, UNIQUE_CHARACTERS);
  const readable = name.replace(/[^A-Za-z0-9._-]+/g, "-").slice(0, SCOPE_CHARACTERS - UNIQUE_CHARACTERS - 1);
  const scope = (server ?? (await sharedServer())).scope(readable === "" ? unique : `${readable}-${unique}`);
  // node:test calls what was registered first, which may have stopped the server.
  atEnd?.(async () => {
    if (!isStopped(scope.server)) await scope.remove();
  });
  return scope;
}

function contextOf(test) {
  if (typeof test === "string") return { name: test };
  // node:test
  if (typeof test?.after === "function") return { name: test.name, atEnd: (end) => test.after(end) };
  // Vitest
  if (typeof test?.onTestFinished === "function") {
    return { name: test.task?.name ?? "", atEnd: (end) => test.onTestFinished(end) };
  }
  throw new ArgumentError("wrong test: expected the context of node:test or Vitest, or a name");
}

module.exports = { openScope, sharedServer };
