/** Converts names, times, durations and filters to the control API's form. */
"use strict";
const { ArgumentError } = require("./errors.js");

/** The most items of one list. */
const LIST_MAX = 1000;
/** Filters whose values have JSON pointers as keys. */
const POINTER_FILTERS = ["payload", "screen", "webPush"];
/** Stands behind the name of a filter in a URL whose value is a part of the field's text. */
const PART_MARK = "~";
/** How much of a word may differ from the one that was meant. */
const NEAR_SHARE = 0.4;

/** A duration in the API's form; a bare number is an error, because it has no unit. */
function duration(value) {
  if (typeof value === "string") return value;
  throw new ArgumentError(`wrong duration ${shown(value)}: expected a text with a unit ("5s", "250ms", "1h30m")`);
}

/** A value for JSON: dates as times of the API, sets as arrays; members without a value are left out. */
function plain(value) {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Set) return [...value].map(plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return value;
  return members(value);
}

/** Arguments as the members of a JSON object, without those that are undefined. */
function members(values) {
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, plain(value)]));
}

/** Filters as a `match` of the API; null is an error, because ignoring it would match more than is meant. */
function matchOf(filters) {
  for (const [name, value] of Object.entries(filters)) {
    if (value === null) {
      const hint = "expected a value, or { exists: false } for pushes without one";
      throw new ArgumentError(`wrong filter ${name}: null: ${hint}`);
    }
  }
  return members(filters);
}

/**
 * Values as parameters of a URL: an array matches any of its values, `{ not: value }` all others, `{ contains: text }` a
 * part of the field's text.
 */
function parameters(values) {
  return Object.entries(matchOf(values)).flatMap(([name, value]) => {
    // No condition at all would select everything.
    if (isObject(value) && Object.keys(value).length === 0) {
      throw new ArgumentError(`wrong filter ${name}: {}: expected a condition in it`);
    }
    if (!POINTER_FILTERS.includes(name) || !isObject(value)) return parameter(name, value);
    return Object.entries(value).flatMap(([pointer, one]) => parameter(`${name}.${pointer}`, one));
  });
}

function parameter(name, value) {
  if (isOnly(value, "not")) return parameter(`!${name}`, value.not);
  if (Array.isArray(value) && value.length === 0) {
    throw new ArgumentError(`wrong filter ${name}: []: expected a value in it`);
  }
  return [value].flat().map((one) => {
    if (isOnly(one, "contains")) return [name + PART_MARK, String(one.contains)];
    if (isObject(one)) {
      const hint = "expected a value, { contains: … } or { not: … }; only expect() has the other matchers";
      throw new ArgumentError(`wrong filter ${name}: ${shown(one)}: ${hint}`);
    }
    return [name, typeof one === "string" ? one : JSON.stringify(one)];
  });
}

/** Whether a value is an object with one member of this name. */
function isOnly(value, name) {
  return isObject(value) && Object.keys(value).join() === name;
}

/** The options of a call, after checking that their names are known. */
function checked(call, options = {}, known) {
  if (!isObject(options)) {
    const hint = `expected an object with options, like { ${known[0]}: … }`;
    throw new ArgumentError(`${call}() got ${shown(options)}: ${hint}`);
  }
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new ArgumentError(`${call}() got an unknown option ${shown(name)}: ${hintFor(name, known)}`);
    }
  }
  return options;
}

/** What may have been meant by a word. */
function hintFor(word, known, all = [...known].sort().join(", ")) {
  const near = known
    .map((one) => ({ one, distance: distance(word, one) }))
    .filter(({ one, distance }) => distance <= NEAR_SHARE * Math.max(word.length, one.length))
    .sort((left, right) => left.distance - right.distance)[0];
  return near === undefined ? `expected ${all}` : `did you mean ${shown(near.one)}?`;
}

/** How many letters have to be changed, added, removed or exchanged with their neighbours. */
function distance(from, to) {
  const rows = [[...Array(to.length + 1).keys()]];
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row];
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1];
      const changed = rows[row - 1][column - 1] + (isSame ? 0 : 1);
      rows[row][column] = Math.min(changed, rows[row - 1][column] + 1, rows[row][column - 1] + 1);
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        rows[row][column] = Math.min(rows[row][column], rows[row - 2][column - 2] + 1);
      }
    }
  }
  return rows[from.length][to.length];
}

/** The scope of a call: the test's own, another one, or with null the whole server. */
function scopeOf(own, given) {
  return given === undefined ? own : given ?? undefined;
}

/** A part of a path. */
function segment(value) {
  return encodeURIComponent(String(value));
}

/** The settings of a new device that has apps. */
function withApps(topics, settings) {
  const apps = [topics].flat().map((topic) => ({ topic }));
  return { ...settings, registrations: [...apps, ...(settings.registrations ?? [])] };
}

function isObject(value) {
  return value !== null && typeof value === "object" && !Array.isArray(value) && !(value instanceof Date);
}

function shown(value) {
  return JSON.stringify(value) ?? String(value);
}

module.exports = {
  LIST_MAX, checked, duration, hintFor, matchOf, members, parameters, scopeOf, segment, shown, withApps,
};
