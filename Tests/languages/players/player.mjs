// Plays vectors with the Node package: reads a command a line, and answers with a line. README.md has the commands.
import { createInterface } from "node:readline";
import * as mynah from "mynah";

let objects = {};

/** An object, or what is in it: `phone/registrations/0/topic`. */
function find(path) {
  const [first, ...rest] = path.split("/");
  return rest.reduce((value, name) => {
    if (name === "text" && value instanceof mynah.ExpectationResult) return String(value);
    // What an answer may leave out.
    if (typeof value === "object" && (name in value || value.constructor === Object)) return value[name];
    throw new Error(`${path}: ${value.constructor.name} has no ${name}`);
  }, objects[first]);
}

/** An argument: `{"$": path}` stands for an object. */
function given(value) {
  if (Array.isArray(value)) return value.map(given);
  if (value === null || typeof value !== "object") return value;
  if ("$" in value) return find(value.$);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, given(one)]));
}

const commands = {
  async connect({ url, name }) {
    const server = await mynah.connect(url);
    objects = { server, mynah: server.scope(name) };
  },

  async call({ on, call, arguments: positional, options, saved, take }) {
    const object = find(on);
    const named = Object.keys(options).length > 0 ? [given(options)] : [];
    let result = object[call](...given(positional), ...named);
    if (take === null) {
      result = await result;
    } else {
      const events = [];
      for await (const event of result) {
        events.push(event);
        if (events.length === take) break;
      }
      result = events;
    }
    if (saved !== null) objects[saved] = result;
  },

  read: ({ paths }) => ({ values: Object.fromEntries(paths.map((path) => [path, find(path) ?? null])) }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: kind, ...command } = JSON.parse(line);
  let answer;
  try {
    answer = (await commands[kind](command)) ?? {};
  } catch (error) {
    if (mynah[error.name] === undefined) throw error;
    const { name, message, status, field, allowed, type } = error;
    answer = { error: { kind: name, message, status, field, allowed, type } };
  }
  console.log(JSON.stringify(answer));
}
