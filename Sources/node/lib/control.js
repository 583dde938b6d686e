"use strict";
const http = require("node:http");
const { ArgumentError, ControlError, UnavailableError } = require("./errors.js");
const { members, parameters } = require("./documents.js");

/** The longest wait of a list, 60 s, and a minute in which the machine may stand still. */
const ANSWER_MILLISECONDS = 120_000;
/** How much of an answer that isn't a problem document an error's message shows. */
const SHOWN_CHARACTERS = 200;

/** The control API of one server; each call has its own connection, so anyone may make it at any time. */
class ControlAPI {
  #place;

  /** `token` is the bearer token of a server with `--control-token`. */
  constructor(url, { token } = {}) {
    this.#place = parsed(url);
    this.url = String(url).replace(/\/+$/, "");
    this.host = this.#place.hostname.replace(/^\[|\]$/g, "");
    this.port = Number(this.#place.port || 80);
    Object.defineProperty(this, "token", { value: token ?? null });
  }

  /**
   * The JSON of a call that must succeed, or its text if it isn't JSON; undefined if the answer has no body.
   *
   * Throws a `ControlError` with field and detail if the call is refused, an `UnavailableError` if no server answers.
   */
  async call(method, path, options = {}) {
    return result(`${method} ${path}`, await this.ask(method, path, options));
  }

  /** One request, whatever the answer. `timeout` is in milliseconds, for each step, like each part of the answer. */
  async ask(method, path, { query, body, headers, timeout = ANSWER_MILLISECONDS } = {}) {
    const { response, request } = await this.#open(method, path, { query, body, headers, timeout });
    const parts = [];
    try {
      for await (const part of response) parts.push(part);
    } catch (error) {
      throw this.#unavailable(`${method} ${path}`, error, timeout);
    } finally {
      request.destroy();
    }
    return { status: response.statusCode, headers: response.headers, body: Buffer.concat(parts).toString("utf8") };
  }

  /** The JSON of a GET; `query` has names and values, or pairs. */
  get(path, query) {
    return this.call("GET", path, { query });
  }

  /** The JSON of a POST. */
  post(path, body, query) {
    return this.call("POST", path, { body, query });
  }

  /** The JSON of a PUT. */
  put(path, body, query) {
    return this.call("PUT", path, { body, query });
  }

  /** The JSON of a PATCH. */
  patch(path, body, query) {
    return this.call("PATCH", path, { body, query });
  }

  /** The JSON of a DELETE. */
  delete(path, query) {
    return this.call("DELETE", path, { query });
  }

  /**
   * The events of a stream, as they come; its end closes the connection.
   *
   * Throws a `ControlError` if the call is refused, an `UnavailableError` if the server can't be reached, or for
   * `timeout` milliseconds sends nothing, not even the comments between events.
   */
  async *events(path, query, { timeout = ANSWER_MILLISECONDS } = {}) {
    const call = `GET ${path}`;
    const { response, request } = await this.#open("GET", path, { query, timeout });
    try {
      response.setEncoding("utf8");
      let text = "";
      for await (const part of response) {
        text += part;
        if (response.statusCode !== 200) continue;
        const blocks = text.split("\n\n");
        text = blocks.pop();
        yield* blocks.map(eventOf).filter((event) => event !== null);
      }
      const { statusCode: status, headers } = response;
      if (status !== 200) result(call, { status, headers, body: text });
    } catch (error) {
      throw error instanceof ControlError ? error : this.#unavailable(call, error, timeout);
    } finally {
      request.destroy();
    }
  }

  #open(method, path, { query, body, headers, timeout }) {
    if (!/^\/[!-~]*$/.test(path)) {
      const hint = "expected one that begins with / and is ASCII without spaces";
      throw new ArgumentError(`wrong path ${JSON.stringify(path)}: ${hint}`);
    }
    const pairs = Array.isArray(query) ? query : parameters(query ?? {});
    const written = pairs.map((pair) => pair.map(escaped).join("=")).join("&");
    const target = written === "" ? path : `${path}?${written}`;
    const content = body === undefined ? undefined : JSON.stringify(members({ body }).body);
    const own = { host: this.#place.host, "accept-encoding": "identity" };
    if (content !== undefined) own["content-type"] = "application/json";
    if (content !== undefined || ["POST", "PUT", "PATCH"].includes(method)) {
      own["content-length"] = Buffer.byteLength(content ?? "");
    }
    if (this.token !== null) own.authorization = `Bearer ${this.token}`;
    return new Promise((resolve, reject) => {
      const failed = (error) => reject(this.#unavailable(`${method} ${path}`, error, timeout));
      const { host, port } = this;
      const settings = { host, port, method, path: target, headers: { ...own, ...headers }, agent: false, timeout };
      const request = http.request(settings, (response) => resolve({ response, request }));
      request.on("timeout", () => request.destroy(new TimeOut()));
      request.on("error", failed);
      request.end(content);
    });
  }

  #unavailable(call, error, timeout) {
    if (error instanceof TimeOut) {
      return new UnavailableError(`${call}: no answer from ${this.url} within ${timeout / 1000} s`);
    }
    // An error of several addresses has no message of its own.
    const why = error.errors?.[0]?.message ?? error.message;
    if (["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"].includes(error.code) || error.code?.startsWith("HPE_")) {
      return new UnavailableError(`${call}: the connection to ${this.url} ended before the answer did: ${why}`);
    }
    return new UnavailableError(`no mynah at ${this.url}: ${why}; \`mynah serve\` starts one`);
  }
}

class TimeOut extends Error {}

function parsed(url) {
  try {
    const place = new URL(url);
    if (place.protocol === "http:" && place.hostname !== "") return place;
  } catch {
    // What follows says what a URL is.
  }
  throw new ArgumentError(`wrong control API ${JSON.stringify(url)}: expected a URL like http://127.0.0.1:8197`);
}

function escaped(text) {
  return encodeURIComponent(String(text));
}

function result(call, answer) {
  if (answer.status < 200 || answer.status >= 300) throw new ControlError(call, answer.status, problemOf(answer));
  if (answer.body === "") return undefined;
  return (answer.headers["content-type"] ?? "json").includes("json") ? JSON.parse(answer.body) : answer.body;
}

function problemOf(answer) {
  try {
    const problem = JSON.parse(answer.body);
    if (problem !== null && typeof problem === "object") return problem;
  } catch {
    // What follows shows it.
  }
  const body = JSON.stringify(answer.body.slice(0, SHOWN_CHARACTERS));
  return { title: "not a problem document", detail: `${body}; is this a mynah?` };
}

/** An event of a stream; null for what only keeps the connection, or tells the number reached. */
function eventOf(block) {
  const fields = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "");
  }
  if (fields.data === undefined) return null;
  const id = fields.id ? Number(fields.id) : null;
  return Object.freeze({ event: fields.event ?? "message", id, data: JSON.parse(fields.data) });
}

module.exports = { ANSWER_MILLISECONDS, ControlAPI };
