"use strict";

/** The server did not start, does not answer, or refused a call. */
class MynahError extends Error {}

/** A server did not start; the message has its output. */
class StartError extends MynahError {}

/** No control API answers at the address, or not one that this package knows. */
class UnavailableError extends MynahError {}

/** A call with a wrong argument, which was not sent. */
class ArgumentError extends TypeError {}

/** What was asked for is not there, or is not the only one. */
class MissingError extends Error {}

/** What a wait expected did not happen in time. */
class UnmetError extends Error {}

/** An unmet expectation; the message shows the nearest pushes. */
class ExpectationUnmet extends UnmetError {
  constructor(result) {
    super(String(result));
    this.result = result;
  }
}

/**
 * The control API refused a call (`application/problem+json`).
 *
 * `field` is a parameter's name or a member's JSON pointer; `allowed` has the valid values, if they can be listed.
 */
class ControlError extends MynahError {
  constructor(call, status, problem) {
    const { title, field } = problem;
    const type = problem.type ?? "about:blank";
    const detail = problem.detail ?? "";
    const allowed = problem.allowed ?? [];
    const what = [field ?? title, detail].filter(Boolean).join(": ");
    // Most details name them.
    const isNamed = allowed.every((value) => detail.includes(value));
    super(`${call} was answered ${status}: ${what}${isNamed ? "" : ` (allowed: ${allowed.join(", ")})`}`);
    Object.assign(this, { call, status, type, title: title ?? "", detail, field: field ?? null, allowed });
  }
}

const errors = {
  MynahError, StartError, UnavailableError, ArgumentError, MissingError, UnmetError, ExpectationUnmet, ControlError,
};
// Test runners print the name above the message.
for (const [name, kind] of Object.entries(errors)) {
  Object.defineProperty(kind.prototype, "name", { value: name, configurable: true, writable: true });
}

module.exports = errors;
